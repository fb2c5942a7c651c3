import { right, type Diagnosis } from '../../domain/diagnosis.ts';
import { limitsInWords, readLimits, type RightsLimits } from '../../domain/rights-limits.ts';
import { catalog } from '../../operations/catalog.ts';
import type { Operation } from '../../operations/operation.ts';
import { say } from '../../domain/said.ts';

/** Why `RIGHTS` cannot be used, a sentence each: an operation that does not exist would leave a hole that nobody sees. */
export function faultsOfLimits(given = ''): string[] {
  return [...readLimits(given.split(',')).limits].flatMap(([name, level]) => {
    const operation = catalog.find((one) => one.name === name);
    if (operation === undefined)
      return [`RIGHTS names ${name}, which is no operation: docs/permissions-and-approvals.md lists them.`];
    return level === 'approval' && operation.access === 'read'
      ? [`RIGHTS has ${name}:approval, and only changes can be approved: use nobody or administrators.`]
      : [];
  });
}

export function diagnoseLimits(limits: RightsLimits): Diagnosis[] {
  return limits.size === 0 ? [] : [right(`RIGHTS restricts ${limitsInWords(limits)}`)];
}

/** Why a person may not do what the account gives them, as a sentence. */
export function limitMessage({ name }: Pick<Operation, 'name'>, limits: RightsLimits | undefined): string | undefined {
  const level = limits?.get(name);
  if (level === 'nobody')
    return say`This bot is set up so that nobody can do this from here. Do it in the quiz account.`;
  if (level === 'administrators')
    return say`This bot is set up so that only administrators can do this. Ask one of them to do it for you.`;
  return undefined;
}
