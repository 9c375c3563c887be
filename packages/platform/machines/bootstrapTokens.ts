/** Bootstrap tokens, with which new machines join. Lives in minutes. */

/** Life of a token unless the bootstrap provider is told otherwise (CAPI v1.14.2 kubeadmconfig, DefaultTokenTTL). */
export const defaultTokenMinutes = 15;

/** Argument of the bootstrap provider's manager, with dashes: the operator writes it into the container as it is. */
export const tokenLifeArgument = "--bootstrap-token-ttl";

/**
 * Life of a token where this program installs the bootstrap provider. While a scale set has as many nodes as `replicas`,
 * nobody refreshes the token in its user data: it is replaced only if a check finds less than half of its life left
 * (CAPI v1.14.2 kubeadmconfig, HasNodeRefs and shouldRotate). CAPZ makes the surge of a rollout in that state, so a machine
 * may get a token with half of its life less one check left. This must be longer than the longest boot.
 */
export const tokenMinutes = 90;

/** The life of tokens in minutes by the arguments of a manager; undefined if they do not say it in whole units. */
export function tokenLifeOf(args: readonly string[]): number | undefined {
  const given = args.find((argument) => argument.startsWith(`${tokenLifeArgument}=`));
  const [, hours, minutes, seconds] = /=(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(given ?? "") ?? [];
  const life = Number(hours ?? 0) * 60 + Number(minutes ?? 0) + Number(seconds ?? 0) / 60;
  return life > 0 ? life : undefined;
}

/** The life of tokens by settings of Cluster API: without `install` nobody says it but the management cluster. */
export const installedTokenMinutes = ({
  install,
  bootstrapTtlMinutes,
}: {
  readonly install: boolean;
  readonly bootstrapTtlMinutes?: number | undefined;
}): number => bootstrapTtlMinutes ?? (install ? tokenMinutes : defaultTokenMinutes);

/** Whether machines with this boot may come too late: a token may be used up to half of its life. */
export const isTokenShort = (life: number, boot: number): boolean => boot > life / 2;
