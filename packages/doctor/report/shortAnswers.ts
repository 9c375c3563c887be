import { at, list, textAt } from "capz-windows-kit/untyped";

/**
 * Answers of Azure as the Azure SDK for Go prints them, which CAPZ and the Azure Service Operator pass on: the request, the
 * status, the code and the whole body between rules of dashes. Only the code and Azure's own sentence say something.
 */

const frame =
  /(?:(?:DELETE|GET|HEAD|PATCH|POST|PUT) https?:\/\/\S+\s+)?(?<!-)-{20,}\s+RESPONSE (?<status>\d{3})[^\n]*?(?<!\s)\s+(?!\s)(?:ERROR CODE(?:: (?<code>\S+)| UNAVAILABLE)\s+)?-{20,}\s*(?<body>[^]*?)(?:(?:(?<!\s)\s+|)-{20,}\s*|$)/;

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Firewalls answer in HTML, and the end of a long body may be missing.
    return undefined;
  }
}

/** Azure's sentence, and that of its first detail; the body as it is where it is no JSON. */
function sentenceOf(body: string): string {
  const json = parsed(body);
  const error = at(json, "error") ?? json;
  const message = textAt(error, "message") || textAt(json, "error_description") || body.trim();
  const detail = textAt(list(at(error, "details"))[0], "message");
  return detail === "" || message.includes(detail) ? message : `${message} ${detail}`;
}

/** A text with each answer of Azure in one line: "409 ScopeLocked: The scope ...". */
export function withShortAnswers(text: string): string {
  const found = frame.exec(text);
  if (found === null) {
    return text;
  }
  const { status = "", code = "", body = "" } = found.groups ?? {};
  const before = text.slice(0, found.index);
  const sentence = sentenceOf(body);
  const said = before.includes(sentence) ? "" : `: ${sentence}`;
  const rest = withShortAnswers(text.slice(found.index + found[0].length));
  return `${before}${status}${code === "" ? "" : ` ${code}`}${said}${rest === "" ? "" : `; ${rest}`}`;
}
