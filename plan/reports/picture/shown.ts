import { isRefused, shownCluster, type StackReport } from "../stackReport";
import { comparedPicture, type Picture, pictureOf } from "./boxes";

/**
 * The picture of a report: of a plan always; of a comparison where the stack is new, or where the picture changes, with the
 * changes in it.
 * @param isPage - a page has a picture of every stack
 */
export function shownPicture(report: StackReport, isPage: boolean): Picture | undefined {
  const { plan, comparison, base } = report;
  if (report.picture !== undefined) {
    return report.picture;
  }
  if (base !== undefined && plan !== undefined && comparison !== undefined && !isRefused(comparison)) {
    const compared = comparedPicture(base, plan.cluster);
    if (compared !== undefined) {
      return compared;
    }
  }
  const cluster = shownCluster(report);
  const isShown = comparison === undefined || comparison.status === "new" || isPage;
  return isShown && cluster !== undefined ? pictureOf(cluster) : undefined;
}
