import { wrapped } from "capz-windows-kit/io/terminal";
import type { Component, ComponentsFile, ComponentType, Properties } from "./components";

/** A component, or a type of its args, as a person reads it. */

/** A heading and what is below it; nothing without lines. */
const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`.trimEnd()), ""];

const items = (texts: readonly string[], width: number): string[] =>
  texts.flatMap((text) =>
    wrapped(text, width - 4).map((line, index) => `${index === 0 ? "- " : "  "}${line}`),
  );

function propertyLines(properties: Properties, width: number): string[] {
  return Object.entries(properties).flatMap(([name, { type, description, required, output, ...rest }]) => {
    const remarks: string[] = [];
    if (required) {
      remarks.push("required");
    } else if (rest.default !== undefined) {
      remarks.push(`default: ${rest.default}`);
    }
    if (output) {
      remarks.push("may be an output");
    }
    const head = `${name}: ${type}${remarks.length === 0 ? "" : ` (${remarks.join("; ")})`}`;
    const [first = "", ...others] = wrapped(head, width - 2);
    const below = [...others, ...wrapped(description, width - 6)].map((line) => `    ${line}`);
    return [first, ...below];
  });
}

/** The types with fields that args or outputs name, for which there is a call, too. */
function typesIn(properties: readonly Properties[], { types }: ComponentsFile): string[] {
  const named = properties.flatMap((one) =>
    Object.values(one).flatMap(
      ({ type }) => type.match(/\w+/g)?.filter((word) => Object.hasOwn(types, word)) ?? [],
    ),
  );
  return [...new Set(named)].sort();
}

const typesSection = (properties: readonly Properties[], all: ComponentsFile, width: number): string[] =>
  section(
    "types; all of one: npm run explain -- TYPE",
    typesIn(properties, all).flatMap((name) => wrapped(name, width - 2)),
  );

export function typeText(
  name: string,
  { description, fields }: ComponentType,
  all: ComponentsFile,
  width: number,
): string {
  return [
    name,
    "",
    ...(description === "" ? [] : [...wrapped(description, width), ""]),
    ...section("fields", propertyLines(fields, width)),
    ...typesSection([fields], all, width),
  ]
    .join("\n")
    .trimEnd();
}

export function componentText(
  name: string,
  component: Component,
  all: ComponentsFile,
  width: number,
): string {
  const { token, description, program, notes, makes, costs, destroys, args, outputs } = component;
  const others = Object.entries(program.refers).map(([variable, other]) => `${variable} is a ${other}`);
  return [
    `${name}, type token ${token}`,
    "",
    ...wrapped(description, width),
    "",
    ...section("program in TypeScript", program.typescript.split("\n")),
    ...section("program in Pulumi YAML", program.yaml.split("\n")),
    ...section("in the programs", items([...others, ...notes], width)),
    ...section(
      "makes, in this example",
      Object.entries(makes).map(([type, count]) => `${count} ${type}`),
    ),
    ...section("costs", wrapped(costs, width - 2)),
    ...section("a change or the removal may destroy", items(destroys, width)),
    ...section("args", propertyLines(args, width)),
    ...section("outputs", propertyLines(outputs, width)),
    ...typesSection([args, outputs], all, width),
  ]
    .join("\n")
    .trimEnd();
}
