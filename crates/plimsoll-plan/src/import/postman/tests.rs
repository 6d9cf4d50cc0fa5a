//! Collections in the shape in which Postman exports them.

use super::super::{Format, Imported, import};

#[track_caller]
fn imported(text: &str) -> Imported {
    match import(Format::Postman, "shop.postman_collection.json", text.as_bytes()) {
        Ok(imported) => imported,
        Err(mistake) => panic!("{mistake}"),
    }
}

const SHOP: &str = r#"{
  "info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
  "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{accessToken}}", "type": "string"}]},
  "variable": [{"key": "baseUrl", "value": "https://shop.example/v1"}, {"key": "accessToken", "value": "abc-secret-1"}, {"key": "size", "value": "10"}],
  "event": [{"listen": "prerequest", "script": {"exec": [""]}}],
  "item": [
    {"name": "Ping", "request": "{{baseUrl}}/ping"},
    {"name": "Items", "item": [
      {"name": "List", "event": [{"listen": "test", "script": {"exec": ["pm.test()"]}}],
       "request": {"method": "GET", "auth": {"type": "noauth"}, "header": [{"key": "X-A", "value": "1", "disabled": true}, {"key": "X-Trace", "value": "{{$guid}}"}],
        "url": {"raw": "{{baseUrl}}/items/:id?size={{size}}&q=a%20b", "host": ["{{baseUrl}}"], "path": ["items", ":id"],
         "query": [{"key": "size", "value": "{{size}}"}, {"key": "off", "value": "1", "disabled": true}, {"key": "q", "value": "a%20b"}],
         "variable": [{"key": "id", "value": "{{itemId}}"}]}}},
      {"name": "Deep", "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "X-Key"}, {"key": "value", "value": "k-12345"}]}, "item": [
        {"name": "Create", "request": {"method": "POST", "header": [], "url": {"host": ["{{baseUrl}}"], "path": ["items"]},
         "body": {"mode": "raw", "raw": "{\n  \"n\": {{size}},\n  \"password\": \"hunter22\"\n}", "options": {"raw": {"language": "json"}}}}}
      ]},
      {"name": "Login", "request": {"method": "POST", "auth": {"type": "basic", "basic": [{"key": "username", "value": "ann"}, {"key": "password", "value": "pw-of-ann"}]},
        "url": "https://shop.example/login", "body": {"mode": "urlencoded", "urlencoded": [{"key": "a", "value": "b c"}, {"key": "client_secret", "value": "sssh-1"}]}}},
      {"name": "Upload", "request": {"method": "POST", "url": "{{baseUrl}}/up", "body": {"mode": "formdata", "formdata": [
        {"key": "note", "value": "x", "type": "text"}, {"key": "f", "type": "file", "src": "/C:/Users/ann/pic.png"}]}}},
      {"name": "Query", "request": {"method": "POST", "url": "{{baseUrl}}/graphql", "body": {"mode": "graphql", "graphql": {"query": "query { a { b } }", "variables": "{\"x\": 1}"}}}}
    ]}
  ]
}"#;

#[test]
fn a_collection_becomes_journeys() {
    let imported = imported(SHOP);
    let paths: Vec<&str> = imported.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["journeys/shop.hurl", "journeys/items.hurl"]);
    let end = "HTTP *\n[Asserts]\nstatus < 400\n";
    assert_eq!(
        imported.files[0].1,
        format!("# Ping\nGET {{{{base_url}}}}/v1/ping\nAuthorization: Bearer {{{{access_token}}}}\n{end}")
    );
    let expected = [
        "# List\nGET {{base_url}}/v1/items/{{item_id}}?size={{size}}&q=a%20b\nX-Trace: {{newUuid}}\n",
        "# Create\nPOST {{base_url}}/v1/items\nX-Key: {{x_key}}\nContent-Type: application/json\n```\n{\n  \"n\": {{size}},\n  \"password\": \"{{password}}\"\n}```\n",
        "# Login\nPOST {{base_url}}/login\n[BasicAuth]\nann: {{ann_password}}\n[Form]\na: b c\nclient_secret: {{client_secret}}\n",
        "# Upload\nPOST {{base_url}}/v1/up\nAuthorization: Bearer {{access_token}}\n[Multipart]\nnote: x\nf: file,pic.png;\n",
        "# Query\nPOST {{base_url}}/v1/graphql\nAuthorization: Bearer {{access_token}}\nContent-Type: application/json\n{\"query\": \"query { a { b } }\", \"variables\": {\"x\": 1}}\n",
    ];
    let expected: Vec<String> = expected.iter().map(|head| format!("{head}{end}")).collect();
    assert_eq!(imported.files[1].1, expected.join("\n"));
    assert!(imported.plan.contains("size = \"10\"\n"), "{}", imported.plan);
    let whole = format!("{imported:?}");
    for secret in ["abc-secret-1", "hunter22", "pw-of-ann", "sssh-1", "k-12345", "7391846205"] {
        assert!(!whole.contains(secret), "{secret} in {whole}");
    }
    for note in [
        "a script that tests an answer was not carried over",
        "2 headers, parameters or fields that are switched off",
        "itemId",
    ] {
        assert!(imported.notes.iter().any(|said| said.contains(note)), "{note} in {:?}", imported.notes);
    }
}

#[test]
fn an_unknown_host_is_said() {
    let imported = imported(r#"{"info":{},"item":[{"request":{"url":{"raw":"{{host}}/a/b?x"}}}]}"#);
    assert_eq!(imported.files[0].1, "# GET /a/b\nGET {{base_url}}/a/b?x\nHTTP *\n[Asserts]\nstatus < 400\n");
    assert!(
        imported.notes.iter().any(|note| note.starts_with("nothing says where the requests go")),
        "{:?}",
        imported.notes
    );
    assert!(
        imported.notes.iter().any(|note| note.starts_with("`{{host}}` in front of URLs became")),
        "{:?}",
        imported.notes
    );
}

#[test]
fn a_collection_cannot_read_the_environment() {
    let text = r#"{"info":{"name":"env:HOME"},"variable":[{"key":"x","value":"env:PATH"}],"item":[{"request":"http://h/{{x}}"}]}"#;
    let imported = imported(text);
    assert!(imported.plan.contains("name = \"HOME\"\n"), "{}", imported.plan);
    assert!(imported.plan.contains("x = \"env:X\"\n") && !imported.plan.contains("PATH"), "{}", imported.plan);
}

#[track_caller]
fn check_mistake(text: &str, line: usize, message: &str) {
    let mistake = import(Format::Postman, "x.json", text.as_bytes()).expect_err("refused");
    assert_eq!((mistake.place.line, mistake.message.as_str()), (line, message));
}

#[test]
fn what_is_wrong_is_placed() {
    check_mistake("{\n  \"info\": ,", 2, "expected value");
    check_mistake("{\"info\":{}}", 1, "not a Postman collection: the list `item` is missing");
    check_mistake("{\"id\":1,\n\"requests\":[]}", 2, "this is a collection of version 1, which is not read");
    check_mistake("{\"values\":[]}", 1, "this is an environment of Postman, not a collection");
    check_mistake("{\"info\":{},\"item\":[]}", 1, "there are no requests in it");
}
