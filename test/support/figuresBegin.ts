import { forgetFigures } from "./figures";

/** Jest runs this once, before all suites. */
export default forgetFigures;
