// The library: what the command line can do, for programs. Importing it does nothing and reads nothing.
export type { Addresses } from "./library/addresses.ts";
export { type BenchmarkDocument, type BenchmarkOptions, benchmarkServer } from "./library/benchmark.ts";
export { diffReports } from "./library/compare.ts";
export {
  getTestDefinitions,
  SUPPORTED_SPEC_VERSIONS,
  specBaseFor,
  TEST_DEFINITIONS,
  type TestDefinition,
} from "./library/definitions.ts";
export { type DiagnoseOptions, type DiagnosisDocument, diagnoseServer } from "./library/diagnose.ts";
export { explainTest, listTests } from "./library/explanations.ts";
export { formatRun } from "./library/format.ts";
export type { CommonOptions } from "./library/options.ts";
export { computeGrade, computeScore, type Scored } from "./library/score.ts";
export { type SelftestOptions, type SelftestResult, type SelftestTrial, selftest } from "./library/selftest.ts";
export {
  type FaultDefinition,
  listFaults,
  type ReferenceServer,
  type ServeOptions,
  serveReference,
} from "./library/serve.ts";
export { runComplianceSuite, runSuite, type SuiteOptions, type SuiteRun } from "./library/suite.ts";
export type { HttpExtras, HttpServer, ServerTarget, StdioServer } from "./library/target.ts";
export type { Area, RevisionId } from "./model/catalog.ts";
export type { ChangeDocument, DiffDocument, OutcomeDocument, SideDocument } from "./report/diff-json.ts";
export { DiffError } from "./report/diff-read.ts";
export type {
  CheckExplained,
  FaultExplained,
  ListExplained,
  RevisionExplained,
  Unexplained,
} from "./report/explain.ts";
export type {
  AcceptedDocument,
  CategoryDocument,
  EvidenceDocument,
  ReportDocument,
  TestDocument,
} from "./report/json-contract.ts";
