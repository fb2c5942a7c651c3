import type { ChangePreview, Target } from '../../domain/approval-request.ts';
import { named } from '../../domain/sentence.ts';
import type { AnyContext } from '../../operations/context.ts';
import { kindOf, type Field, type Value } from '../../operations/fields/fields.ts';
import { addressFacts } from '../../operations/fields/user.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';

export type OperationInput = Readonly<Record<string, Value>>;

/** The input as the service has it now, or the first thing in it that is gone. */
export async function refetch(
  operation: Operation,
  input: OperationInput,
  context: AnyContext,
): Promise<{ input: OperationInput } | { gone: Target; field: string }> {
  const fresh: Record<string, Value> = {};
  for (const { name, field, value } of given(operation, input)) {
    const kind = kindOf(field);
    const now = await kind.refetch(value, context);
    const [gone] = now === undefined ? kind.targets(value) : [];
    if (gone) return { gone, field: name };
    if (now !== undefined) fresh[name] = now;
  }
  return { input: fresh };
}

/** What the operation would do now, and to what. */
export async function previewOf(
  operation: Operation,
  input: OperationInput,
  context: AnyContext,
): Promise<ChangePreview> {
  return {
    ...(operation.action && { action: operation.action(input) }),
    effect: (await operation.effect?.(context, input)) ?? operation.summary,
    details: detailsOf(operation, input),
    targets: targetsOf(operation, input),
    ...(await operation.review?.(context, input)),
  };
}

/** The input as labels and words. */
export function detailsOf(operation: Operation, input: OperationInput): ChangePreview['details'] {
  return given(operation, input).map(({ field, value }) => ({
    label: field.label,
    value: kindOf(field).describe(value, field),
  }));
}

/** What the operation acts on, as it was read last. */
export function targetsOf(operation: Operation, input: OperationInput): Target[] {
  return given(operation, input).flatMap(({ field, value }) => kindOf(field).targets(value));
}

/** The input as it is stored: things by their ids, so that a new name changes nothing. */
export function idsOf(operation: Operation, input: OperationInput): TextInput {
  return Object.fromEntries(
    given(operation, input).map(({ name, field, value }) => [name, kindOf(field).identify(value)]),
  );
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
      .map(
        ([fact, value]) =>
          `${named(old.name)}: ${fact.toLowerCase()} was “${old.facts[fact] ?? ''}”, is now “${value}”.`,
      );
  });
  if (now.changes) return [...now.changes, ...changes];
  if (changes.length === 0 && before.effect !== now.effect) return [`Before: ${before.effect}`];
  return changes;
}

function given({ fields }: Operation, input: OperationInput): { name: string; field: Field; value: Value }[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = input[name];
    return value === undefined ? [] : [{ name, field, value }];
  });
}
