// JSON that keeps its numbers, members of every name, and texts of every kind.
import assert from "node:assert/strict";
import { test } from "node:test";
import { JSONError, Numeral, parse, same, write } from "../../Sources/level4/DataPage/Assets/json.js";

test("numbers keep their text", () => {
  for (const text of ["9007199254740993", "-9223372036854775808", "1.10", "1e400", "-0", "0.1E+2",
    "12345678901234567890123456789.012345678"]) {
    const value = parse(text);
    assert.ok(value instanceof Numeral);
    assert.equal(value.text, text);
    assert.equal(String(value), text);
    assert.equal(write(parse(`{"a":[${text}]}`)), `{"a":[${text}]}`);
  }
});

test("members may have any name", () => {
  const value = parse('{"__proto__":{"x":1},"constructor":2,"toString":null,"":true}');
  assert.deepEqual(Object.keys(value), ["__proto__", "constructor", "toString", ""]);
  assert.equal(Object.getPrototypeOf(value), null);
  assert.equal(value.__proto__.x.text, "1");
  assert.equal({}.x, undefined);
  assert.equal(write(value), '{"__proto__":{"x":1},"constructor":2,"toString":null,"":true}');
});

test("texts come and go whole", () => {
  const texts = ["", "a\"b\\c/d", "\u0000\u001f\u007f", "\u2028\u2029", "\ud83d\ude00", "\ud800", "\udc00x",
    "\u202eabc", "\\", "\\\\\"", "<script>", "x".repeat(1_000_000), "\\\"".repeat(50_000)];
  for (const text of texts) assert.equal(parse(write(text)), text);
  assert.equal(parse('"\\ud83d\\ude00\\/\\b"'), "\u{1f600}/\b");
  assert.equal(write("\ud800"), '"\\ud800"');
});

test("what isn't JSON is refused, with its place", () => {
  for (const text of ["", " ", "{", "[1,]", "{,}", "{\"a\":1,}", "01", "+1", "1.", ".5", "1e", "tru", "nul", "'a'",
    '"a',
    '"\\x"', '"\n"', "[1 2]", "{\"a\" 1}", "{a:1}", "1 2", "NaN",
    "[".repeat(600), "\ufeff1", '"\\ud83"', "-"]) {
    assert.throws(() => parse(text), JSONError, text);
  }
  assert.throws(() => parse("[1, x]"), { offset: 4 });
});

test("spaces between values are none of them", () => {
  assert.equal(write(parse(" { \"a\" : [ 1 , null , true ] ,\r\n\t\"b\" : { } , \"c\" : [ ] } ")),
    '{"a":[1,null,true],"b":{},"c":[]}');
});

test("the same is the same JSON, and numbers by their text", () => {
  assert.ok(same(parse('{"a":1.0,"b":[null]}'), parse('{"b":[null],"a":1.0}')));
  assert.ok(!same(parse("1.0"), parse("1.00")));
  assert.ok(!same(parse("9007199254740993"), parse("9007199254740992")));
  assert.ok(!same(parse('{"__proto__":1}'), parse("{}")));
  assert.ok(!same(parse('{"a":null}'), parse('{"b":null}')));
  assert.ok(!same(parse("[]"), parse("{}")));
  assert.ok(!same(parse("[1]"), parse("[1,2]")));
  assert.ok(!same(parse('"1"'), parse("1")));
  assert.ok(!same(null, parse("{}")));
});

test("values made by the page are written too", () => {
  assert.equal(write({ a: 1, b: undefined, c: [undefined], d: 10n, e: Infinity }),
    '{"a":1,"c":[null],"d":10,"e":null}');
});
