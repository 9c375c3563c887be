import { files } from "./onlyInCi.js";
import { writeFigures } from "./figures";

/** Jest runs this once, after all suites. */
export default function end(): void {
  writeFigures();
  if (files.length > 0) {
    process.stderr.write(
      "\nLeft to CI: many processes, and thousands of combinations. npm run test:all runs them, too.\n",
    );
  }
}
