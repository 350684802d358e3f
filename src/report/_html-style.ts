/** The style of the HTML report: light and dark by the reader's setting, light on paper. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1c2128; --soft: #59636e; --line: #d5dae0; --code: #f2f4f7;
  --fail: #b3261e; --fail-bg: #fdecea; --blocked: #8a4b00; --blocked-bg: #fdf1dc; --pass: #1a6b34; --pass-bg: #e6f4ea;
  --skipped: #57606a; --skipped-bg: #eceff2; --error: #6b3fa0; --error-bg: #f1eafb; --link: #0b57d0; --focus: #0b57d0;
  --bar: #2f7d4f; --bar-part: #c77700; --bar-rest: #dfe3e8;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #101317; --card: #191d23; --ink: #e8eaed; --soft: #a3adb8; --line: #333a43; --code: #11151a;
    --fail: #ff9a91; --fail-bg: #44201d; --blocked: #ffc168; --blocked-bg: #3d2c10; --pass: #7fd8a0; --pass-bg: #173524;
    --skipped: #b4bdc7; --skipped-bg: #2a3038; --error: #cdb0f5; --error-bg: #33254a; --link: #9cc2ff; --focus: #9cc2ff;
    --bar: #4cae76; --bar-part: #e0a030; --bar-rest: #333a43;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
.page { max-width: 66rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1, h2, h3, h4, p, ul, dl, dd, figure, pre { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
ul { list-style: none; }
a { color: var(--link); overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .84em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.to-checks { position: absolute; left: -100vw; }
.to-checks:focus { left: 1rem; top: .5rem; background: var(--card); padding: .25rem .75rem; z-index: 1; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.top { display: flex; flex-wrap: wrap; gap: 1rem 1.75rem; padding: 1.25rem 1.5rem; align-items: center; }
.grade { text-align: center; min-width: 6.5rem; padding: .6rem 1rem; border-radius: 8px; background: var(--skipped-bg); }
.grade b { display: block; font-size: 3.2rem; line-height: 1.1; }
.grade span { white-space: nowrap; }
.grade-A, .grade-B { color: var(--pass); background: var(--pass-bg); }
.grade-C { color: var(--blocked); background: var(--blocked-bg); }
.grade-D, .grade-F { color: var(--fail); background: var(--fail-bg); }
.about { flex: 1 1 20rem; min-width: 0; }
.about dl, .fields { display: grid; grid-template-columns: minmax(5.6rem, max-content) minmax(0, 1fr); gap: .2rem 1rem; margin-top: .6rem; }
dt { color: var(--soft); }
dd { overflow-wrap: anywhere; }
.totals { padding: .75rem 1.5rem; border-top: 1px solid var(--line); }
.areas { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 45%), 1fr)); gap: .6rem; }
.areas li { padding: .6rem .8rem; }
.areas b { text-transform: capitalize; }
.areas .count { float: right; font-variant-numeric: tabular-nums; }
.areas svg { display: block; width: 100%; height: 8px; margin: .45rem 0 .3rem; border-radius: 4px; }
.rest { fill: var(--bar-rest); } .part { fill: var(--bar-part); } .whole { fill: var(--bar); }
.alert { padding: .7rem 1rem; border-left: 5px solid var(--blocked); margin-top: 1rem; overflow-wrap: anywhere; }
.alert.bad { border-left-color: var(--fail); }
.alert h2, .alert h3 { margin: 0 0 .3rem; font-size: 1rem; }
.alert ul { display: grid; gap: .3rem; }
.filters { padding: .75rem 1rem; display: grid; gap: .5rem; margin-bottom: .75rem; }
.filters div { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }
.filters .name { min-width: 5rem; color: var(--soft); }
button {
  font: inherit; font-size: .875rem; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: .2rem .7rem; min-height: 2rem; cursor: pointer;
}
button:hover { border-color: var(--soft); }
button[aria-pressed="true"] { background: var(--ink); color: var(--card); border-color: var(--ink); }
.check { margin-top: .5rem; }
.check summary, .row {
  display: grid; grid-template-columns: 5.6rem minmax(0, 1fr); column-gap: .8rem; padding: .6rem .9rem; align-items: baseline;
}
.check summary { cursor: pointer; list-style: none; position: relative; padding-right: 2.2rem; }
.check summary::-webkit-details-marker { display: none; }
.check summary::after {
  content: ""; position: absolute; right: 1rem; top: 1.05rem; width: .5rem; height: .5rem;
  border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(45deg);
}
.check[open] summary::after { transform: rotate(-135deg); top: 1.25rem; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows p { overflow-wrap: anywhere; }
.pill { border-radius: 5px; padding: .05rem .5rem; font-size: .8rem; font-weight: 600; text-align: center; }
.pill.fail { color: var(--fail); background: var(--fail-bg); } .pill.blocked { color: var(--blocked); background: var(--blocked-bg); }
.pill.pass { color: var(--pass); background: var(--pass-bg); } .pill.skipped { color: var(--skipped); background: var(--skipped-bg); }
.pill.error { color: var(--error); background: var(--error-bg); }
.id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .84em; color: var(--soft); overflow-wrap: anywhere; }
.tag { font-size: .75rem; border: 1px solid currentColor; border-radius: 5px; padding: 0 .35rem; white-space: nowrap; }
.said { font-size: .9rem; color: var(--soft); }
.body { padding: 0 .9rem 1rem; }
.fields { margin: 0 0 .8rem; }
.fields .mark { grid-column: 1 / -1; }
.exchange h4 { font-size: .9rem; margin: .9rem 0 .3rem; }
.exchange .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: .6rem; }
figcaption { font-size: .8rem; color: var(--soft); margin-bottom: .15rem; }
pre {
  background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; max-height: 16rem;
  overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4;
}
pre code { font-size: 1em; }
.repro { display: flex; gap: .6rem; align-items: start; margin-top: .6rem; }
.repro figure { flex: 1 1 0; min-width: 0; }
.repro button { margin-top: 1.35rem; flex: none; min-width: 4.5rem; }
.cause { margin-top: .75rem; padding: .8rem .9rem; border-left: 5px solid var(--blocked); }
.cause > h4 { font-size: 1rem; overflow-wrap: anywhere; }
.cause .rows { margin-top: .6rem; border-top: 1px solid var(--line); }
.cause .row { padding-left: 0; padding-right: 0; }
footer { margin-top: 2.5rem; font-size: .85rem; color: var(--soft); }
@media (max-width: 36rem) {
  .top { padding: 1rem; }
  .grade { width: 100%; display: flex; justify-content: center; align-items: baseline; gap: 1rem; }
  .totals { padding: .75rem 1rem; }
  .about dl { grid-template-columns: max-content minmax(0, 1fr); column-gap: .75rem; }
  .areas .count { float: none; display: block; }
  .fields { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .fields dd { margin-bottom: .45rem; }
  .check summary, .row { grid-template-columns: minmax(0, 1fr); row-gap: .25rem; }
  .pill { justify-self: start; }
  .repro { flex-direction: column; }
  .repro figure { width: 100%; }
  .repro button { margin-top: 0; }
}
@page { margin: 14mm; }
@media print {
  .areas { grid-template-columns: repeat(4, 1fr); }
  .areas .count { float: none; display: block; }
  body { background: #fff; font-size: 10.5pt; }
  .page { max-width: none; padding: 0; }
  .filters, .repro button, .to-checks, .check summary::after { display: none !important; }
  pre { max-height: none; }
  .card { break-inside: auto; }
  .row, .check summary, .fields, .areas li, figure { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
