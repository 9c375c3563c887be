import type { ClusterModel } from "../../model/cluster/types";
import { countText, systemText } from "../clusterText";
import { html, type Html } from "../html/html";
import { pictureOf } from "./boxes";
import {
  isMarked,
  markPicture,
  type MarkedBox,
  type MarkedPicture,
  type MarkedText,
  type PlanSide,
} from "./marks";

/** The picture of a stack as HTML: nested boxes, with the base and the head beside each other where they differ. */

/** The head shows what a value was before; the base marks what changes or is removed. */
function drawText({ text, other }: MarkedText, side: PlanSide): Html {
  if (other === undefined) {
    return html`${text}`;
  }
  return other !== null
    ? side === "head"
      ? html`<del>${other}</del> → <ins>${text}</ins>`
      : html`<mark>${text}</mark>`
    : side === "head"
      ? html`<ins>${text}</ins>`
      : html`<del>${text}</del>`;
}

function drawBox({ tone, title, badge, lines, boxes, mark }: MarkedBox, side: PlanSide): Html {
  const label = [title.text, badge?.text, mark].filter((part) => part !== undefined);
  return html`<div class="box ${tone} ${mark ?? ""}" role="group" aria-label="${label.join(", ")}">
    <p class="title">
      <strong>${drawText(title, side)}</strong>
      ${badge !== undefined && badge.text !== "" && html`<span class="badge">${drawText(badge, side)}</span>`}
      ${mark !== undefined && html`<span class="mark">${mark}</span>`}
    </p>
    ${
      lines.length > 0 &&
      html`<ul class="lines">
        ${lines.map((line) => html`<li>${drawText(line, side)}</li>`)}
      </ul>`
    }
    ${boxes.length > 0 && html`<div class="boxes">${boxes.map((box) => drawBox(box, side))}</div>`}
  </div>`;
}

const describe = ({ name, location, controlPlane, pools, network, management }: ClusterModel): string =>
  management.only === true
    ? `Management cluster ${management.name} in ${location}`
    : `Cluster ${name} in ${location}: ${controlPlane?.replicas ?? 0} control plane machines and ${pools.length} node ` +
      `pools (${pools.map((pool) => `${pool.name}: ${countText(pool)} × ${systemText(pool)}`).join("; ")}) in VNET ` +
      `${network.vnet} ${network.cidrs.join(", ")} which carries packets of ${network.mtu} bytes, those of pods ${network.podMtu}`;

const drawPicture = (cluster: ClusterModel, picture: MarkedPicture, side: PlanSide, title?: string): Html =>
  html`<figure class="picture" aria-label="${title === undefined ? "" : `${title}: `}${describe(cluster)}">
    ${title !== undefined && html`<figcaption><h4>${title}</h4></figcaption>`}
    <div class="topology">
      <div class="creators">${picture.creators.map((box) => drawBox(box, side))}</div>
      ${
        picture.created.length > 0 &&
        html`<p class="creates">creates</p>
          <div class="created">${picture.created.map((box) => drawBox(box, side))}</div>`
      }
    </div>
    ${
      picture.path.length > 0 &&
      html`<p class="caption">The largest packet on the way from pod to pod, in bytes</p>
        <ol class="path">
          ${picture.path.map((box) => html`<li>${drawBox(box, side)}</li>`)}
        </ol>`
    }
  </figure>`;

/** @returns `undefined` where neither side has a cluster */
export function drawClusters(
  base: ClusterModel | undefined,
  head: ClusterModel | undefined,
): Html | undefined {
  const [before, after] = [base && pictureOf(base), head && pictureOf(head)];
  const markedBase = before && markPicture(before, after, "base");
  const markedHead = after && markPicture(after, before, "head");
  if (base && head && markedBase && markedHead && (isMarked(markedBase) || isMarked(markedHead))) {
    return html`<div class="pictures">
      ${drawPicture(base, markedBase, "base", "Before")} ${drawPicture(head, markedHead, "head", "After")}
    </div>`;
  }
  return head && markedHead
    ? drawPicture(head, markedHead, "head")
    : base && markedBase && drawPicture(base, markedBase, "base");
}
