import type { Timeline } from "../timeline";
import type { Member, Membership } from "./etcd";

/** The members of an etcd cluster and their leader. */
export class Members implements Membership {
  private list: Member[] = [];
  private first = 0;
  private count = 0;

  constructor(private readonly timeline: Timeline) {}

  readonly members = (): readonly Member[] => this.list;
  readonly leader = (): number => this.first;

  add(name: string): void {
    this.count += 1;
    this.list.push({ id: this.count, name });
    this.first ||= this.count;
  }

  readonly moveLeader = (id: number): void => {
    this.first = id;
    this.timeline.add("etcd", this.nameOf(id), "is leader now");
  };

  readonly remove = (id: number): void => {
    this.timeline.add("etcd", this.nameOf(id), "member removed");
    this.list = this.list.filter((member) => member.id !== id);
    if (this.first === id) {
      this.first = this.list[0]?.id ?? 0;
    }
  };

  private nameOf(id: number): string {
    return this.list.find((member) => member.id === id)?.name ?? String(id);
  }
}
