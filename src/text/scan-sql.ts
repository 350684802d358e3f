/** The words of a database that complains of its syntax, or undefined. Prose about databases has none of them. */
export function databaseError(text: string): string | undefined {
  for (const pattern of COMPLAINTS) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

// --- internal ---

// Quotes may be escaped, since the text is often JSON.
const COMPLAINTS: readonly RegExp[] = [
  // SQLite
  /SQLITE_ERROR/,
  /near \\*"[^"\n]{0,40}": syntax error/,
  /unrecognized token: \\*"/,
  /sqlite3\.(?:OperationalError|ProgrammingError)/,
  // MySQL, MariaDB
  /You have an error in your SQL syntax/i,
  /ER_PARSE_ERROR/,
  // PostgreSQL
  /unterminated quoted string at or near/i,
  /syntax error at or near \\*"/i,
  /(?:psycopg2?|asyncpg)\.[\w.]{0,80}SyntaxError/,
  // SQL Server, Oracle, DB2, JDBC, ODBC
  /Unclosed quotation mark/i,
  /Incorrect syntax near/i,
  /ORA-(?:00933|01756|00921|00936)/,
  /quoted string not properly terminated/i,
  /SQLSTATE\[?[ :=]*\[?\w{5}/,
  /SQLSyntaxErrorException/,
  /SQLCODE ?[=:] ?-\d+/,
  // DuckDB, ClickHouse
  /Parser Error: (?:syntax error|unterminated quoted string)/i,
  /DB::Exception: Syntax error/,
];
