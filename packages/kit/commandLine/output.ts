import { joiner } from "../markdown";
import { shown } from "../visible";

/**
 * Where text leaves the process. It has names and messages of clusters, clouds and files in it, whose authors must neither
 * control a terminal nor give a command to the pipeline that reads the log.
 */

/**
 * What the program itself writes: the styles of `styleText` that it uses, and at the beginning of what is written a progress line
 * that is rewritten. In a value, that would erase the line in which it is.
 */
const ownSequences = /\u001b\[(?:0|1|2|22|3[1-7]|39|9\d)m|^\r\u001b\[2K/g;

/** Words of logs that GitHub Actions and Azure Pipelines take for commands. */
const logCommands: readonly (readonly [RegExp, string])[] = [
  [/^(\s*)::/gm, "$1⏎::"],
  [/##(?=\[|vso\[)/g, "# #"],
];

/**
 * A whole text for a stream.
 * @param colors - whether the stream is a terminal, which gets the styles and progress lines of the program itself
 * @param inPipeline - whether a pipeline reads the text
 */
export function printable(text: string, colors: boolean, inPipeline: boolean): string {
  const own = colors ? (text.match(ownSequences) ?? []) : [];
  const parts = (colors ? text.split(ownSequences) : [text]).map((part) =>
    inPipeline
      ? logCommands.reduce((result, [pattern, by]) => result.replace(pattern, by), shown(part))
      : shown(part),
  );
  return parts.map((part, index) => `${part}${own[index] ?? ""}`).join("");
}

type Write = NodeJS.WriteStream["write"];

/** The streams as they were, for what must get through as it is. */
const originals = new WeakMap<NodeJS.WriteStream, Write>();

const isPipeline = (env: NodeJS.ProcessEnv): boolean =>
  env.GITHUB_ACTIONS !== undefined || env.TF_BUILD !== undefined;

function guardStream(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): () => void {
  const write = Reflect.get(stream, "write");
  const inPipeline = isPipeline(env);
  const colors = stream.isTTY || (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0");
  originals.set(stream, write.bind(stream));
  stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    const whole = typeof text === "string" ? text : Buffer.from(text).toString("utf8");
    return (write as (...all: unknown[]) => boolean).call(
      stream,
      printable(whole, colors, inPipeline),
      ...rest,
    );
  };
  return () => {
    stream.write = write;
    originals.delete(stream);
  };
}

/** Lets nothing but visible text out of the process until the returned function is called. */
export function guardOutput(env: NodeJS.ProcessEnv = process.env): () => void {
  const restore = [process.stdout, process.stderr].map((stream) => guardStream(stream, env));
  return () => {
    restore.forEach((one) => {
      one();
    });
  };
}

/** Writes what a pipeline is to read as commands; every value in it has been escaped for that. */
export function writeLogCommands(text: string): void {
  (originals.get(process.stdout) ?? process.stdout.write.bind(process.stdout))(text);
}

/** Writes Markdown whose values have lost their meaning by word joiners, which nobody sees and which must stay. */
export function writeMarkdown(text: string, env: NodeJS.ProcessEnv = process.env): void {
  const parts = text.split(joiner).map((part) => printable(part, false, isPipeline(env)));
  writeLogCommands(parts.join(joiner));
}
