//! Tables of files: what they hold, and what is wrong with them.

use proptest::prelude::*;

use super::*;
use crate::value::Number;

const CSV: Format = Format::Csv { separator: b',' };

fn read(text: &str, format: Format) -> Result<Data, Misread> {
    Data::read("f", text.as_bytes().to_vec(), format)
}

/// All rows, each value as text.
fn rows(data: &Data) -> Vec<Vec<String>> {
    let text = |(_, value)| match value {
        Value::Text(text) => text.to_string(),
        other => format!("{other:?}"),
    };
    (0..data.rows()).map(|row| data.row(row).map(text).collect()).collect()
}

#[track_caller]
fn check(text: &str, columns: &[&str], expected: &[&[&str]]) {
    let data = read(text, CSV).expect("it is a table");
    assert_eq!(data.columns(), columns, "{text:?}");
    assert_eq!(rows(&data), expected, "{text:?}");
    assert!(data.row(data.rows()).next().is_none());
}

#[test]
fn tables_are_read() {
    check("a,b\n1,2\n3,4\n", &["a", "b"], &[&["1", "2"], &["3", "4"]]);
    check("a,b\r\n1,2\r\n3,4", &["a", "b"], &[&["1", "2"], &["3", "4"]]);
    check("\u{feff}a\n1", &["a"], &[&["1"]]);
    check("\n\na\n\n1\r\n\r\n2\n\n", &["a"], &[&["1"], &["2"]]);
    check(" a , b\n 1 , 2\n", &["a", "b"], &[&[" 1 ", " 2"]]);
    check("a,b\n,\n", &["a", "b"], &[&["", ""]]);
    check("a,b\nx,", &["a", "b"], &[&["x", ""]]);
    check("a\n\"\"\n", &["a"], &[&[""]]);
    check("a,b\nü,ß\n", &["a", "b"], &[&["ü", "ß"]]);
}

#[test]
fn quotes_protect() {
    check("a,b\n\"x,y\",2\n", &["a", "b"], &[&["x,y", "2"]]);
    check("a,b\n\"x\ny\r\nz\",2\r\n", &["a", "b"], &[&["x\ny\r\nz", "2"]]);
    check("a\n\"say \"\"yes\"\"\"\n", &["a"], &[&["say \"yes\""]]);
    check("\"a\",\"b c\"\n1,\"2\"", &["a", "b c"], &[&["1", "2"]]);
    check("a\n5\" pipe\n", &["a"], &[&["5\" pipe"]]);
    check("a,b\n\"x\",\"y\"\r", &["a", "b"], &[&["x", "y"]]);
}

#[test]
fn other_separators_are_read() {
    let data = read("a;b\n1,5;2\n", Format::Csv { separator: b';' }).expect("it is a table");
    assert_eq!(rows(&data), [["1,5", "2"]]);
    assert_eq!(Format::of(Path::new("x/users.TSV")), Some(Format::Csv { separator: b'\t' }));
    assert_eq!(Format::of(Path::new("users.jsonl")), Some(Format::JsonLines));
    assert_eq!(Format::of(Path::new("users")), None);
}

#[test]
fn objects_keep_the_types_of_their_values() {
    let text = "{\"id\": 7, \"name\": \"Ada\", \"on\": true}\n\n {\"on\": null, \"name\": [1.5], \"id\": 18446744073709551615}";
    let data = read(text, Format::JsonLines).expect("it is a table");
    assert_eq!(data.columns(), ["id", "name", "on"]);
    let first: Vec<_> = data.row(0).collect();
    let integer = |value| Value::Number(Number::Integer(value));
    assert_eq!(first, [(0, integer(7)), (1, Value::Text("Ada".into())), (2, Value::Bool(true))]);
    let second: Vec<_> = data.row(1).collect();
    let list = Value::List([Value::Number(Number::Float(1.5))].into());
    let big = Value::Number(Number::Big("18446744073709551615".into()));
    assert_eq!(second, [(2, Value::Null), (1, list), (0, big)]);
}

#[track_caller]
fn wrong(format: Format, bytes: &[u8], expected: &str) {
    let misread = Data::read("f", bytes.to_vec(), format).expect_err("something is wrong with it");
    assert_eq!(misread.to_string(), expected, "{}", String::from_utf8_lossy(bytes));
}

#[test]
fn mistakes_in_tables_are_placed() {
    wrong(CSV, b"", "f:1:1: nothing in the file");
    wrong(CSV, b"\n\n", "f:1:1: nothing in the file");
    wrong(CSV, b"a,b\n", "f:2:1: no row below the names of the columns");
    wrong(CSV, b"a,b\n1,2\n3\n", "f:3:1: 1 value in a row, where the first row names 2 columns");
    wrong(CSV, b"a,b,c\n1,2\n", "f:2:3: 2 values in a row, where the first row names 3 columns");
    wrong(CSV, b"a,b\n1,2,3\n", "f:2:5: more values in a row than the 2 columns that the first row names");
    wrong(CSV, b"a\n1,2\n", "f:2:3: more values in a row than the 1 column that the first row names");
    wrong(CSV, b"a,,b\n1,2,3\n", "f:1:3: a column without a name");
    wrong(CSV, b"a,b,a\n1,2,3\n", "f:1:5: column `a` a second time");
    wrong(CSV, b"a,b\n1,\"2\n3,4\n", "f:2:3: a quote that is never closed");
    wrong(CSV, "a,b\nü,\"2\"x\n".as_bytes(), "f:2:6: more of a value after its closing quote");
    wrong(CSV, b"a\nx\n\xc3\xbc\xff\n", "f:3:2: byte 0xff is not UTF-8");
}

#[test]
fn mistakes_in_json_lines_are_placed() {
    let json = Format::JsonLines;
    wrong(json, b"", "f:1:1: nothing in the file");
    wrong(json, b"[{\"a\": 1}]", "f:1:1: a line that is no object");
    wrong(json, b"{\"a\": 1}\n  7\n", "f:2:3: a line that is no object");
    wrong(json, b"{}\n", "f:1:1: an object without keys");
    wrong(json, b"{\"a\": 1}\n{\"a\": }\n", "f:2:7: no JSON: expected value");
    wrong(json, b"{\"a\": 1}\n{\"a\": 1", "f:2:7: no JSON: EOF while parsing an object");
    wrong(json, b"{\"a\": 1} x", "f:1:10: no JSON: trailing characters");
    wrong(json, b"{\"a\": 1, \"a\": 2}", "f:1:1: column `a` a second time");
    wrong(json, b"{\"\": 1}", "f:1:1: a column without a name");
    wrong(json, b"{\"a\": 1}\n{\"b\": 1}", "f:2:1: key `b`, which the first row does not have");
    wrong(json, b"{\"a\": 1}\n{\"a\": 1, \"a\": 2}", "f:2:1: key `a` a second time");
    wrong(json, b"{\"a\": 1, \"b\": 2}\n{\"a\": 1}", "f:2:1: no key `b`, which the first row has");
}

#[test]
fn a_mistake_shows_its_line_unless_it_is_endless() {
    let misread = |text: &str| read(text, CSV).expect_err("something is wrong with it");
    assert_eq!(misread("a,b\n1\n").line, "1");
    assert_eq!(misread(&format!("a,b\n{}\n", "x".repeat(1000))).line, "");
}

#[test]
fn a_row_costs_its_bytes_and_four_more() {
    let table = |row: &str, head: &str| head.to_owned() + &row.repeat(20_000);
    for (text, format) in [
        (table("user00001,pa55word,1234567890\n", "name,password,number\n"), CSV),
        (table("{\"name\": \"user00001\"}\n", ""), Format::JsonLines),
    ] {
        let bytes = text.len();
        let data = read(&text, format).expect("it is a table");
        assert_eq!(data.rows(), 20_000);
        assert!(data.held_bytes() <= bytes + 4 * 20_001, "{}", data.held_bytes());
    }
}

/// Writes a value the way everybody does who follows the RFC.
fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('"', "\"\""))
}

proptest! {
    #[test]
    fn what_is_written_by_the_rfc_is_read_back(
        table in (1usize..5).prop_flat_map(|columns| {
            proptest::collection::vec(proptest::collection::vec("[ -~üß\r\n\"]{0,8}", columns), 1..6)
        }),
        crlf: bool,
    ) {
        let names: Vec<String> = (0..table[0].len()).map(|column| format!("c{column}")).collect();
        let end = if crlf { "\r\n" } else { "\n" };
        let line = |row: &Vec<String>| row.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(",") + end;
        let text = line(&names) + &table.iter().map(line).collect::<String>();
        let data = read(&text, CSV).expect("it is a table");
        prop_assert_eq!(data.columns(), names);
        prop_assert_eq!(rows(&data), table);
    }

    #[test]
    fn any_bytes_are_a_table_or_a_mistake(bytes in "[ab,\"\r\n{}:1ü]{0,40}") {
        for format in [CSV, Format::JsonLines] {
            match read(&bytes, format) {
                Ok(data) => (0..data.rows()).for_each(|row| assert_eq!(data.row(row).count(), data.columns().len())),
                Err(misread) => prop_assert!(misread.place.line > 0 && misread.place.column > 0),
            }
        }
    }
}
