import { at, list, textAt } from "../../domain/untyped";

/**
 * Answers of Azure as the Azure SDK for Go prints them, which CAPZ and the Azure Service Operator pass on: the request, the
 * status, the code and the whole body between rules of dashes.
 */

const frame =
  /(?:(?:DELETE|GET|HEAD|PATCH|POST|PUT) https?:\/\/\S+\s+)?-{20,}\s+RESPONSE (?<status>\d{3})[^\n]*\s+ERROR CODE(?:: (?<code>\S+)| UNAVAILABLE)\s+-{20,}\s*(?<body>[^]*?)(?:\s*-{20,}\s*|$)/;

export interface AzureAnswer {
  readonly status: string;
  readonly code: string;
  /** Azure's own sentence; the body as it is where it is no JSON. */
  readonly message: string;
  /** The property that Azure does not accept. */
  readonly target: string;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Conditions of the past were cut at some length, and firewalls answer in HTML.
    return undefined;
  }
}

const answerOf = (found: RegExpExecArray): AzureAnswer => {
  const { status = "", code = "", body = "" } = found.groups ?? {};
  const json = parsed(body);
  const error = at(json, "error") ?? json;
  const [detail] = list(at(error, "details"));
  const message = textAt(error, "message") || textAt(json, "error_description") || body.trim();
  const more = textAt(detail, "message");
  return {
    status,
    code: code || textAt(error, "code"),
    message: more === "" || message.includes(more) ? message : `${message} ${more}`,
    target: textAt(error, "target"),
  };
};

/** The first answer of Azure in a text. */
export function azureAnswerIn(text: string): AzureAnswer | undefined {
  const found = frame.exec(text);
  return found === null ? undefined : answerOf(found);
}

/** A text with each answer of Azure in one line: "409 ScopeLocked: The scope ...". */
export function withShortAnswers(text: string): string {
  const found = frame.exec(text);
  if (found === null) {
    return text;
  }
  const before = text.slice(0, found.index);
  const { status, code, message } = answerOf(found);
  const said = before.includes(message) ? "" : `: ${message}`;
  const rest = withShortAnswers(text.slice(found.index + found[0].length));
  return `${before}${status}${code === "" ? "" : ` ${code}`}${said}${rest === "" ? "" : `; ${rest}`}`;
}
