import type { Cause } from "../cause.ts";
import type { Certificate, HttpEvidence } from "../evidence.ts";

const certificate = ({ connections }: HttpEvidence): Certificate | undefined =>
  connections.find((each) => each.certificate !== undefined)?.certificate;
const code = ({ connections }: HttpEvidence): string => connections.at(-1)?.trouble?.code ?? "";
const message = ({ connections }: HttpEvidence): string => connections.at(-1)?.trouble?.message ?? "";
const INSECURE = "To look further nevertheless: --insecure.";

/** TCP stands, and TLS does not come about. */
export const tlsCauses: readonly Cause<HttpEvidence>[] = [
  {
    id: "plain-http-on-tls",
    at: ["tls"],
    mend: "Give the URL with http://, or let the server speak TLS on that port.",
    recognise: (e) =>
      e.connections.some(({ plain }) => plain?.http !== undefined) ||
      /WRONG_VERSION_NUMBER|wrong version number|packet length too long|HTTP_REQUEST/i.test(`${code(e)} ${message(e)}`)
        ? `${e.url.host} speaks plain HTTP on that port, and the URL says https`
        : undefined,
  },
  {
    id: "certificate-expired",
    at: ["tls"],
    mend: `Renew the certificate, and let the server load the new one. If the dates are fine, look at this machine's clock. ${INSECURE}`,
    recognise: (e) =>
      /CERT_HAS_EXPIRED/.test(code(e))
        ? `The certificate of ${e.url.host} has expired${certificate(e) === undefined ? "" : ` (${certificate(e)?.to})`}`
        : undefined,
  },
  {
    id: "certificate-not-yet-valid",
    at: ["tls"],
    mend: `Look at this machine's clock and the server's. ${INSECURE}`,
    recognise: (e) =>
      /CERT_NOT_YET_VALID/.test(code(e))
        ? `The certificate of ${e.url.host} is not valid yet${certificate(e) === undefined ? "" : ` (from ${certificate(e)?.from})`}`
        : undefined,
  },
  {
    id: "certificate-for-another-name",
    at: ["tls"],
    mend: `Use the name that stands in the certificate, or get one for this name. ${INSECURE}`,
    recognise: (e) =>
      /ALTNAME|HOSTNAME_MISMATCH/.test(code(e))
        ? `The certificate is for another name than ${e.url.hostname}${certificate(e) === undefined ? "" : ` (it is for ${certificate(e)?.names || certificate(e)?.subject})`}`
        : undefined,
  },
  {
    id: "certificate-self-signed",
    at: ["tls"],
    mend: `Give the certificate, or that of your own authority, by --ca-file FILE; clients written in Node take it from NODE_EXTRA_CA_CERTS. ${INSECURE}`,
    recognise: (e) =>
      /DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT/.test(code(e))
        ? `The certificate of ${e.url.host} is self-signed${/CHAIN/.test(code(e)) ? " at the end of its chain: its authority is not known here" : ""}`
        : undefined,
  },
  {
    id: "certificate-chain-incomplete",
    at: ["tls"],
    mend: `Let the server send its whole chain (the intermediate certificate is missing, often), or give the authority by --ca-file FILE. ${INSECURE}`,
    recognise: (e) =>
      /UNABLE_TO_(?:VERIFY_LEAF|GET_ISSUER)|UNKNOWN_CA|CERT_UNTRUSTED|INVALID_CA/.test(code(e))
        ? `Nobody known vouches for the certificate of ${e.url.host}${certificate(e) === undefined ? "" : ` (its issuer is ${JSON.stringify(certificate(e)?.issuer)})`}`
        : undefined,
  },
  {
    id: "tls-wants-client-certificate",
    at: ["tls", "first byte"],
    mend: "Client certificates are not supported here: put a proxy before the server that has one, or ask for a way without.",
    recognise: (e) =>
      /CERTIFICATE_REQUIRED|alert certificate required|alert bad certificate|SSLV3_ALERT_BAD_CERTIFICATE/i.test(
        `${code(e)} ${message(e)}`,
      )
        ? `${e.url.host} wants a client certificate`
        : undefined,
  },
  {
    id: "tls-not-spoken",
    at: ["tls"],
    mend: "Check the port. If it is right, the server has no certificate for this name (SNI), or speaks a version of TLS below 1.2.",
    recognise: (e) => `TLS with ${e.url.host} fails: ${message(e)} (${code(e)})`,
  },
];
