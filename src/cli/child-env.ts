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

/** The minimal environment of a child, then the given variables over it. */
export function childEnv(
  environment: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (ALLOWED.has(name.toUpperCase()) || ALLOWED_PREFIX.test(name))) out[name] = value;
  }
  return { ...out, ...given };
}
