/** What a server that is our child may know of our environment. */
const ALLOWED = new Set(
  [
    "HOME USER LOGNAME SHELL TERM PATH LANG LANGUAGE TMPDIR TMP TEMP TZ",
    "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS",
    // Windows.
    "APPDATA LOCALAPPDATA USERPROFILE HOMEDRIVE HOMEPATH SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT PROGRAMFILES",
    "PROGRAMDATA PROCESSOR_ARCHITECTURE USERNAME",
  ]
    .join(" ")
    .split(" "),
);
const ALLOWED_PREFIX = /^(LC_|npm_config_)/i;
/** npm's settings may hold a login. */
const NPM_LOGIN = /^npm_config_.*(auth|token|password)/i;

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable of this name is one that every program gets, and so no secret. */
export const isOrdinary = (name: string): boolean =>
  ALLOWED.has(name.toUpperCase()) ||
  /^(LC_.*|(OLD)?PWD)$/i.test(name) ||
  (/^npm_config_/i.test(name) && !NPM_LOGIN.test(name));

/** The minimal environment of a child, or all of ours, and the given variables over it. */
export function childEnv(
  environment: Environment,
  given: Readonly<Record<string, string>>,
  { all = false }: { readonly all?: boolean } = {},
): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    if (all || ALLOWED.has(name.toUpperCase()) || ALLOWED_PREFIX.test(name)) out[name] = value;
  }
  return { ...out, ...given };
}
