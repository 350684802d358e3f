import { expect, test } from "bun:test";
import { databaseError } from "./scan-sql.ts";

test("the complaints of the usual databases are found, also inside JSON", () => {
  const texts = [
    "SQLITE_ERROR: unrecognized token",
    'near "\'": syntax error',
    JSON.stringify({ message: 'near "abc": syntax error' }),
    "You have an error in your SQL syntax; check the manual",
    'unterminated quoted string at or near "\'abc"',
    "Unclosed quotation mark after the character string",
    "ORA-01756: quoted string not properly terminated",
    "SQLSTATE[42000]: Syntax error",
    'Parser Error: syntax error at or near "\'"',
  ];
  expect(texts.filter((text) => databaseError(text) === undefined)).toEqual([]);
});

test("prose about databases and quotes is no complaint", () => {
  const texts = [
    "no results for abc'",
    "this tool reads an SQLite database",
    "use SQL syntax in your query",
    "information_schema",
    "a syntax error in your JSON",
    "the SQL standard",
  ];
  expect(texts.filter((text) => databaseError(text) !== undefined)).toEqual([]);
});
