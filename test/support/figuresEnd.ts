import { writeFigures } from "./figures";

/** Jest runs this once, after all suites. */
export default writeFigures;
