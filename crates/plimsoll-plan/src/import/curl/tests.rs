//! Command lines in the shape in which browsers and documents give them.

use super::super::{Format, import};

/// The Hurl file of a command line.
#[track_caller]
fn hurl(command: &str) -> String {
    match import(Format::Curl, "curl.sh", command.as_bytes()) {
        Ok(imported) => imported.files.into_iter().map(|(_, text)| text).collect(),
        Err(mistake) => panic!("{mistake}"),
    }
}

#[track_caller]
fn check(command: &str, expected: &str) {
    assert_eq!(hurl(command), format!("{expected}\nHTTP *\n[Asserts]\nstatus < 400\n"));
}

#[track_caller]
fn check_note(command: &str, expected: &str) {
    let imported = import(Format::Curl, "curl.sh", command.as_bytes()).expect("curl");
    assert!(imported.notes.iter().any(|note| note.contains(expected)), "{:?}", imported.notes);
}

#[track_caller]
fn check_mistake(command: &str, line: usize, column: usize, message: &str) {
    let mistake = import(Format::Curl, "curl.sh", command.as_bytes()).expect_err("refused");
    assert_eq!((mistake.place.line, mistake.place.column, mistake.message.as_str()), (line, column, message));
}

#[test]
fn methods_follow_from_flags() {
    check("curl example.org", "# GET /\nGET {{base_url}}/");
    check("$ curl -I http://h/a", "# HEAD /a\nHEAD {{base_url}}/a");
    check("curl -XDELETE http://h/a", "# DELETE /a\nDELETE {{base_url}}/a");
    check("curl -T file.bin http://h/a", "# PUT /a\nPUT {{base_url}}/a\nfile,file.bin;");
    check("curl -G -d a=1 --data-urlencode 'b=x y' http://h/?c=2", "# GET /\nGET {{base_url}}/?c=2&a=1&b=x+y");
}

#[test]
fn bodies() {
    check("curl http://h -d a=1 -d 'b=2'", "# POST /\nPOST {{base_url}}/\n[Form]\na: 1\nb: 2");
    check(
        "curl http://h --json '{\"a\":1}'",
        "# POST /\nPOST {{base_url}}/\nContent-Type: application/json\nAccept: application/json\n{\"a\":1}",
    );
    check(
        "curl http://h -H 'content-type: application/json' --data-raw $'{\"a\":\"it\\'s \\u00e9\\\\n\"}'",
        "# POST /\nPOST {{base_url}}/\ncontent-type: application/json\n{\"a\":\"it's é\\n\"}",
    );
    check(
        "curl http://h --data-binary @body.bin",
        "# POST /\nPOST {{base_url}}/\nContent-Type: application/x-www-form-urlencoded\nfile,body.bin;",
    );
    check(
        "curl http://h -F a=b -F 'f=@\"my pic.png\";type=image/png' --form-string c=@d",
        "# POST /\nPOST {{base_url}}/\n[Multipart]\na: b\nf: file,my\\ pic.png; image/png\nc: @d",
    );
}

#[test]
fn what_a_browser_copies() {
    let command = "curl 'https://shop.example/api/cart?x=1' \\\n  -H 'accept: */*' \\\n  -H 'authorization: Bearer eyJhbGciOi' \\\n  -b 'sid=abc; theme=dark' \\\n  --data-raw 'user=ann&password=hunter22' \\\n  --compressed";
    check(
        command,
        "# POST /api/cart\nPOST {{base_url}}/api/cart?x=1\naccept: */*\nauthorization: Bearer {{bearer_token}}\nCookie: {{cookie}}\n[Options]\ncompressed: true\n[Form]\nuser: ann\npassword: {{password}}",
    );
    let imported = import(Format::Curl, "curl.sh", command.as_bytes()).expect("curl");
    assert_eq!(imported.environment, ["BEARER_TOKEN", "COOKIE", "PASSWORD"]);
    let whole = format!("{imported:?}");
    for secret in ["eyJhbGciOi", "sid=abc", "hunter22"] {
        assert!(!whole.contains(secret), "{secret} in {whole}");
    }
}

#[test]
fn variables_of_the_shell_become_variables() {
    check(
        "curl \"http://h/users/$ID?page=${PAGE}\" -H \"Authorization: Bearer $API_TOKEN\" -u \"$WHO:$PW\" -d '{\"x\":\"$no\"}'",
        "# POST /users/{{id}}\nPOST {{base_url}}/users/{{id}}?page={{page}}\nAuthorization: Bearer {{api_token}}\nContent-Type: application/x-www-form-urlencoded\n[BasicAuth]\n{{who}}: {{pw}}\n`\\u{7b}\"x\":\"$no\"}`",
    );
    check_mistake("curl $HOST/x", 1, 6, "the host is a variable, which only a shell knows");
    check_mistake("curl h -d $(cat x)", 1, 11, "a command inside the command line");
}

#[test]
fn options_and_notes() {
    check(
        "curl -skL --http2 -m 2.5 --max-redirs 3 http://ann:pw@h/",
        "# GET /\nGET {{base_url}}/\n[Options]\ninsecure: true\nlocation: true\nhttp2: true\nmax-time: 2500ms\nmax-redirs: 3\n[BasicAuth]\nann: {{ann_password}}",
    );
    check_note("curl -s h", "`-s` was left out");
    check_note("curl -x http://proxy h", "`-x` was left out: say `--proxy`");
    check_note("curl h | jq .", "what follows `|`");
    check_note("curl -d @in.bin h", "put the file `in.bin` beside the Hurl files");
    check_note("curl -d @../a/in.bin h", "put the file `in.bin` beside the Hurl files");
    check(
        "curl h -d 'user[a b]=c%26'",
        "# POST /\nPOST {{base_url}}/\nContent-Type: application/x-www-form-urlencoded\n`user[a b]=c%26`",
    );
    check("curl h -d user%5Ba%2Bb%5D=c%26", "# POST /\nPOST {{base_url}}/\n[Form]\nuser[a\\u{25}2Bb]: c&");
}

#[test]
fn several_commands_are_one_journey() {
    let text = hurl("curl 'http://h/a' ;\ncurl 'http://h/b' &\n# done\ncurl http://h/c --next http://h/d");
    let requests: Vec<&str> = text.lines().filter(|line| line.starts_with("GET")).collect();
    assert_eq!(requests, ["GET {{base_url}}/a", "GET {{base_url}}/b", "GET {{base_url}}/c", "GET {{base_url}}/d"]);
}

#[test]
fn what_is_wrong_is_placed() {
    check_mistake("", 1, 1, "there is no curl command in it");
    check_mistake("wget x", 1, 1, "there is no curl command in it");
    check_mistake("curl -s\\\n -X", 2, 2, "`-X` is given no value");
    check_mistake("curl 'http://h", 1, 6, "a quote that is never closed");
    check_mistake("curl --frobnicate http://h", 1, 6, "this flag of curl is not known here");
    check_mistake("curl \"http://h\" ^\n -H ^\"a: b^\"", 1, 17, "this is quoted for the Windows command prompt (`^`)");
}
