import type { SeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Workspace } from '../../../src/sandbox/workspace/workspace.ts';

const faults = [
  { kind: 'rate-limited', retryAfterS: 1 },
  { kind: 'http-error', status: 500 },
  { kind: 'lost-answer' },
  { kind: 'lost-request' },
] as const;

/** Makes calls of these methods fail by chance, in each of these ways as often as `share` says. Default: in all of them. */
export function failByChance(
  workspace: Workspace,
  random: SeededRandom,
  { methods, share, kinds }: { methods: readonly string[]; share: number; kinds?: readonly string[] },
): void {
  for (const method of methods)
    for (const fault of faults.filter(({ kind }) => kinds?.includes(kind) ?? true))
      workspace.faults.inject(fault, { method, when: () => random.number() < share });
}
