//! A whole journey: what is captured of one answer is sent with the next request, by every user for itself.

use std::collections::BTreeSet;

use super::{Trial, passed};

const SHOP: &str = r#"
# log in
POST {{host}}/api/login
{"name": "ada"}
HTTP 200
[Captures]
token: jsonpath "$.token"

# order
POST {{host}}/api/orders
Authorization: Bearer {{token}}
[Form]
sku: blue whale
HTTP 201
[Captures]
order: jsonpath "$.id"
price: jsonpath "$.items[0].price"
[Asserts]
jsonpath "$.state" == "new"
jsonpath "$.items" count == 1
jsonpath "$.items[*].sku" == "blue whale"
header "Content-Type" contains "json"

GET {{host}}/api/orders/{{order}}
Authorization: Bearer {{token}}
HTTP/1.1 200
Content-Type: application/json
[Asserts]
jsonpath "$.sku" split " " nth 1 == "whale"
jsonpath "$.sku" replace "whale" "fin" == "blue fin"
jsonpath "$.none" not exists
variable "price" > 19
variable "price" < 20
regex "\"id\":(\\d+)" toInt == {{order}}
bytes count > 10
duration < 60000
sha256 not == hex,00;
url endsWith "/orders/{{order}}"

DELETE {{host}}/api/orders/{{order}}
Authorization: Bearer {{token}}
HTTP 204

GET {{host}}/api/orders/{{order}}
Authorization: Bearer {{token}}
HTTP 404
[Asserts]
jsonpath "$.error" matches /no.*order/
"#;

#[test]
fn once_without_a_word_about_load() {
    let trial = Trial::of(SHOP);
    let ran = trial.passes();
    assert_eq!(ran.count("/requests"), 5);
    assert_eq!(
        trial.lines(),
        ["POST /api/login", "POST /api/orders", "GET /api/orders/1", "DELETE /api/orders/1", "GET /api/orders/1"]
    );
    let names: Vec<&str> =
        ran.json["steps"].as_array().into_iter().flatten().filter_map(|s| s["name"].as_str()).collect();
    let last = "GET /api/orders/{{order}}";
    assert_eq!(names, ["log in", "order", last, "DELETE /api/orders/{{order}}", &format!("{last} #2")]);
    assert_eq!(ran.outcomes(), [("ok", 5)], "a 404 that is wanted is well");
}

#[test]
fn users_and_arrivals_each_with_a_token_of_their_own() {
    for load in ["-c 3 -n 12 --threads 2", "--rate 100/s -n 12 --threads 2"] {
        let trial = Trial::of(SHOP);
        let ran = trial.ran(&format!("flow.hurl {load}"));
        ran.assert_exit(0);
        assert_eq!((passed(&ran), ran.count("/requests")), ((12, 12), 60), "{load} {:?}", ran.reasons());
        let deleted: BTreeSet<String> = trial.lines().into_iter().filter(|line| line.starts_with("DELETE")).collect();
        assert_eq!(deleted.len(), 12, "each its own order");
        let tokens: BTreeSet<Option<String>> = trial.headers("authorization").into_iter().collect();
        assert_eq!(tokens.len(), 1 + 12, "none, and a token for each flow");
        assert_eq!(ran.figure("/journeys/0/flow_ms/count"), 12.0);
    }
}
