import type { ChangePreview, Target } from '../../domain/approval-request.ts';
import { named } from '../../domain/sentence.ts';
import type { AnyContext } from '../../operations/context.ts';
import { addressFacts } from '../../operations/fields/user.ts';
import type { Operation } from '../../operations/operation.ts';
import { detailsOf, targetsOf, type OperationInput } from '../perform/operation-input.ts';
import { twinSentences } from './twins.ts';
import { say, inEnglish, asSaid } from '../../domain/said.ts';
import { changedFact } from '../../operations/wording/facts.ts';

/** What the operation would do now, and to what. */
export async function previewOf(
  operation: Operation,
  input: OperationInput,
  context: AnyContext,
): Promise<ChangePreview> {
  const effect = (await operation.effect?.(context, input)) ?? asSaid(operation.summary);
  const targets = targetsOf(operation, input);
  return {
    ...(operation.action && { action: operation.action(input) }),
    effect: [effect, ...(await twinSentences(targets, context))].join(' '),
    details: detailsOf(operation, input),
    targets,
    ...(await operation.review?.(context, input)),
  };
}

/** The preview as the person may see it: without the addresses of users whose record they may not see. */
export async function visiblePreview(
  preview: ChangePreview,
  { directory, visibility, call }: Pick<AnyContext, 'directory' | 'visibility' | 'call'>,
): Promise<ChangePreview> {
  const users = await directory.users.names(call);
  return withoutAddresses(preview, (userId) => {
    const user = users.byId(userId);
    return user !== undefined && visibility.user(user);
  });
}

/** The preview without the addresses of users, except those for whom `isShown`. */
export function withoutAddresses(
  preview: ChangePreview,
  isShown: (userId: string) => boolean = () => false,
): ChangePreview {
  const factsOf = ({ kind, id, facts }: Target) =>
    kind === 'user' && isShown(id)
      ? facts
      : Object.fromEntries(Object.entries(facts).filter(([fact]) => !addressFacts.includes(fact)));
  return { ...preview, targets: preview.targets.map((target) => ({ ...target, facts: factsOf(target) })) };
}

/** What differs from an earlier preview, a sentence (`domain/sentence.ts`) for each change. */
export function changesBetween(before: ChangePreview, now: ChangePreview): string[] {
  const changes = now.targets.flatMap((target) => {
    const old = before.targets.find(({ kind, id }) => kind === target.kind && id === target.id);
    if (old === undefined) return [];
    return Object.entries(target.facts)
      .filter(([fact, value]) => old.facts[fact] !== value)
      .map(([fact, value]) => changedFact(named(old.name), fact, { was: old.facts[fact] ?? '', is: value }));
  });
  if (now.changes) return [...now.changes, ...changes];
  if (changes.length === 0 && inEnglish(before.effect) !== inEnglish(now.effect))
    return [say`Before: ${before.effect}`];
  return changes;
}
