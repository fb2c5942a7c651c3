/** How far an operation is restricted: to nobody, to administrators, or to what another person approves. */
export const limitLevels = ['nobody', 'administrators', 'approval'] as const;
export type LimitLevel = (typeof limitLevels)[number];

/** What the operator takes from everyone, by the name of the operation. It narrows what the account gives, and never widens it. */
export type RightsLimits = ReadonlyMap<string, LimitLevel>;

export const noLimits: RightsLimits = new Map();

/**
 * Reads entries such as `delete-quiz:nobody`. Which operations there are is checked by `faultsOfLimits`.
 *
 * @returns with `problems`, a clause for each entry that cannot be read
 */
export function readLimits(entries: readonly string[]): { limits: RightsLimits; problems: string[] } {
  const limits = new Map<string, LimitLevel>();
  const problems: string[] = [];
  for (const entry of entries) {
    const [name = '', word = ''] = entry.split(':', 2).map((part) => part.trim());
    const level = limitLevels.find((one) => one === word);
    if (level === undefined) problems.push(`${entry} says neither ${limitLevels.join(' nor ')} after a colon`);
    else if (limits.has(name)) problems.push(`${name} is there twice`);
    else limits.set(name, level);
  }
  return { limits, problems };
}

const levels: Readonly<Record<LimitLevel, string>> = {
  nobody: 'nobody',
  administrators: 'administrators only',
  approval: 'with approval only',
};

/** “delete-quiz (nobody), export-results (administrators only)” */
export function limitsInWords(limits: RightsLimits): string {
  return [...limits].map(([name, level]) => `${name} (${levels[level]})`).join(', ');
}
