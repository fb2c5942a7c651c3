import type { ChangePreview, Target } from '../../domain/approval-request.ts';
import type { AnyContext } from '../../operations/context.ts';
import { kindOf, type Field, type Value } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { asSaid } from '../../domain/said.ts';

/** What an operation was given, each field resolved. */
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

/** The input as labels and words. */
export function detailsOf(operation: Operation, input: OperationInput): ChangePreview['details'] {
  return given(operation, input).map(({ field, value }) => ({
    label: asSaid(field.label),
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

function given({ fields }: Operation, input: OperationInput): { name: string; field: Field; value: Value }[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = input[name];
    return value === undefined ? [] : [{ name, field, value }];
  });
}
