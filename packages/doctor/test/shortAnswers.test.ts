import { withShortAnswers } from "capz-windows-doctor/report/shortAnswers";

/** Answers of Azure in the form of azcore's ResponseError. */

const line = "-".repeat(80);
const answer = (head: string, code: string, body: string): string =>
  `PUT https://management.azure.com/x\n${line}\nRESPONSE ${head}\n${code}\n${line}\n${body}\n${line}\n`;

const json = (error: unknown): string => JSON.stringify({ error }, undefined, 2);

it.each([
  ["a text without an answer stays as it is", "context deadline exceeded", "context deadline exceeded"],
  [
    "the code and Azure's sentence are left",
    `err: ${answer("409: 409 Conflict", "ERROR CODE: ScopeLocked", json({ code: "ScopeLocked", message: "It is locked." }))}`,
    "err: 409 ScopeLocked: It is locked.",
  ],
  [
    "the first detail says more than the sentence",
    answer(
      "400: 400 Bad Request",
      "ERROR CODE: InvalidTemplateDeployment",
      json({ message: "See details.", details: [{ message: "The zone is wrong." }] }),
    ),
    "400 InvalidTemplateDeployment: See details. The zone is wrong.",
  ],
  [
    "the Azure Service Operator says the sentence before, and it is not repeated",
    `It is locked.: ${answer("409: 409 Conflict", "ERROR CODE: ScopeLocked", json({ message: "It is locked." }))}`,
    "It is locked.: 409 ScopeLocked",
  ],
  [
    "a login's answer has no code",
    answer(
      "401: 401 Unauthorized",
      "ERROR CODE UNAVAILABLE",
      '{"error":"x","error_description":"AADSTS7000222: expired"}',
    ),
    "401: AADSTS7000222: expired",
  ],
  [
    "a login's answer in the form of azidentity, with its advice after it",
    `x: authentication failed. \nPOST https://login.microsoftonline.com/t/oauth2/v2.0/token\n${line}\nRESPONSE 401: 401 Unauthorized\n${line}\n{"error_description":"AADSTS700213: no record"}\n${line}\nTo troubleshoot, visit https://aka.ms/azsdk`,
    "x: authentication failed. \n401: AADSTS700213: no record; To troubleshoot, visit https://aka.ms/azsdk",
  ],
  [
    "a body that is no JSON stays, whole or without its end",
    `PUT https://management.azure.com/x\n${line}\nRESPONSE 403: 403 Forbidden\nERROR CODE UNAVAILABLE\n${line}\n<html>blocked</html>`,
    "403: <html>blocked</html>",
  ],
  [
    "two answers in one text",
    `a ${answer("404: 404 Not Found", "ERROR CODE: NotFound", json({ message: "No." }))}b ${answer("409: 409 Conflict", "ERROR CODE: Conflict", json({ message: "Busy." }))}`,
    "a 404 NotFound: No.; b 409 Conflict: Busy.",
  ],
])("%s", (_, text, short) => {
  expect(withShortAnswers(text)).toBe(short);
});
