//! Documents in the shape in which services publish them.

use super::super::{Format, Imported, import};

#[track_caller]
fn imported(text: &str) -> Imported {
    match import(Format::OpenApi, "api.yaml", text.as_bytes()) {
        Ok(imported) => imported,
        Err(mistake) => panic!("{mistake}"),
    }
}

const SHOP: &str = r##"
openapi: 3.0.3
info: { title: Shop, version: 1.0.0 }
servers:
  - url: https://{env}.shop.example/v1/
    variables: { env: { default: api } }
security: [ { bearer: [] } ]
paths:
  /items/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, minimum: 7 } }
    get:
      operationId: getItem
      security: []
      parameters:
        - { name: fields, in: query, required: true, schema: { type: array, items: { type: string, enum: [name, price] } } }
        - { name: lang, in: query, schema: { type: string } }
        - { name: X-Trace, in: header, example: a b, schema: { type: string } }
      responses: { '200': { description: ok }, default: { description: no } }
    put:
      requestBody: { $ref: '#/components/requestBodies/Item' }
      responses: { 2XX: { description: ok } }
  /login:
    post:
      security: [ { key: [] } ]
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              properties: { user: { type: string, example: ann }, password: { type: string, format: password, example: string } }
      responses: { '201': { description: ok } }
components:
  requestBodies:
    Item:
      content:
        application/json: { schema: { $ref: '#/components/schemas/Item' } }
  schemas:
    Item:
      allOf:
        - type: object
          properties:
            id: { type: string, format: uuid, readOnly: true }
            name: { type: string, maxLength: 3 }
            price: { type: number, multipleOf: 0.25 }
        - properties: { parent: { $ref: '#/components/schemas/Item' }, tags: { type: array, items: { type: boolean } } }
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    key: { type: apiKey, in: query, name: api_key }
"##;

#[test]
fn an_operation_becomes_a_journey() {
    let imported = imported(SHOP);
    let files: Vec<&str> = imported.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(files, ["journeys/getitem.hurl", "journeys/put-items-id.hurl", "journeys/post-login.hurl"]);
    let expected = "\
# GET /items/{id}
GET {{base_url}}/v1/items/7
X-Trace: a b
[Query]
fields: name
HTTP 200
";
    assert_eq!(imported.files[0].1, expected);
    let put = &imported.files[1].1;
    assert!(put.starts_with("# PUT /items/{id}\nPUT {{base_url}}/v1/items/7\nContent-Type: application/json\nAuthorization: Bearer {{bearer_token}}\n{\n  \"name\": \"tex\",\n  \"price\": 0.25,\n  \"parent\": {\n"), "{put}");
    assert!(put.ends_with("\nHTTP *\n[Asserts]\nstatus < 400\n"), "{put}");
    let expected = "\
# POST /login
POST {{base_url}}/v1/login
[Query]
api_key: {{api_key}}
[Form]
user: ann
password: {{password}}
HTTP 201
";
    assert_eq!(imported.files[2].1, expected);
    assert_eq!(imported.environment, ["BEARER_TOKEN", "PASSWORD", "API_KEY"]);
    assert!(imported.plan.contains("url = \"https://api.shop.example\"\n"), "{}", imported.plan);
    assert!(
        imported.notes.contains(&"an optional parameter without an example was left out".to_owned()),
        "{:?}",
        imported.notes
    );
}

#[test]
fn json_of_3_1() {
    let imported = imported(
        r##"{"openapi":"3.1.0","info":{"title":"T"},"servers":[{"url":"/api"}],"paths":{"/a":{"post":{"requestBody":{"content":{
        "application/json":{"schema":{"type":["object","null"],"properties":{
          "z":{"type":["null","integer"],"exclusiveMinimum":5},"a":{"const":"x"},"b":{"examples":["e1","e2"]},
          "c":{"anyOf":[{"type":"null"},{"type":"string","format":"date"}]},"d":{"$ref":"#/nowhere"}}}}}}}}}}"##,
    );
    let text = &imported.files[0].1;
    assert!(text.contains("POST {{base_url}}/api/a\n"), "{text}");
    assert!(
        text.contains("{\n  \"z\": 6,\n  \"a\": \"x\",\n  \"b\": \"e1\",\n  \"c\": \"2026-01-31\",\n  \"d\": null\n}"),
        "{text}"
    );
    assert!(
        imported.notes.contains(&"`$ref: #/nowhere` was left out: nothing is there".to_owned()),
        "{:?}",
        imported.notes
    );
}

#[track_caller]
fn check_mistake(text: &str, line: usize, column: usize, message: &str) {
    let mistake = import(Format::OpenApi, "api.yaml", text.as_bytes()).expect_err("refused");
    assert_eq!((mistake.place.line, mistake.place.column, mistake.message.as_str()), (line, column, message));
}

#[test]
fn what_is_wrong_is_placed() {
    check_mistake("info: x\nswagger: '2.0'\n", 2, 1, "this is Swagger 2, which is not read");
    check_mistake("openapi: 4.0.0\npaths: {}", 1, 1, "OpenAPI 3 is expected, not `4.0.0`");
    check_mistake("openapi: 3.0.0\npaths: {}", 1, 1, "there are no operations in it");
    check_mistake("openapi: 3.0.0\npaths: 1", 2, 1, "`paths` is not a mapping");
    check_mistake("{\"openapi\": \"3.0.0\",\n  \"paths\": }", 2, 12, "expected value");
    check_mistake("", 1, 1, "not an OpenAPI document: the key `openapi` is missing");
}

#[test]
fn schemas_that_lead_back_to_themselves_end() {
    let imported = imported(
        "openapi: 3.0.0\npaths:\n  /a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/c/A'}}}}}}\n\
         c:\n  A: {type: object, properties: {a: {$ref: '#/c/A'}, b: {$ref: '#/c/A'}, c: {$ref: '#/c/A'}}}\n  L: {$ref: '#/c/L'}\n",
    );
    assert!(imported.files[0].1.len() < 200_000);
}
