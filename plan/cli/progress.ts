/** One line that tells what is going on: rewritten in place on a terminal, and left out elsewhere. */
export function progressLine(stream: NodeJS.WriteStream) {
  const live = stream.isTTY;
  let last = "";
  return {
    show: (text: string): void => {
      if (live && text !== last) {
        stream.write(`\r\u001b[2K${text}`);
      } else if (text.split(":")[0] !== last.split(":")[0]) {
        // In a log, only the beginning of each phase.
        stream.write(`${text}\n`);
      }
      last = text;
    },
    end: (): void => {
      if (live && last !== "") {
        stream.write("\r\u001b[2K");
      }
    },
  };
}
