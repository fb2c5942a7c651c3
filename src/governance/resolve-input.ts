import type { InputResolver, ResolvedValue } from '../operations/fields/field-kind.ts';
import { kindOf, type Field, type Value } from '../operations/fields/fields.ts';
import type { Operation, TextInput } from '../operations/operation.ts';

/** What came of an input. Messages are plain text. */
export type ResolvedInput = { kind: 'read'; input: Record<string, Value> } | { kind: 'incomplete' } | FieldProblem;
type FieldProblem = { field: string } & Exclude<ResolvedValue<Value>, { kind: 'value' }>;

/**
 * Resolves a line that can be read in several ways, the likeliest first: the first that makes sense. When none does,
 * what is wrong with the likeliest.
 */
export async function resolveLikeliest(operation: Operation, [likeliest, ...others]: readonly [TextInput, ...TextInput[]], resolver: InputResolver): Promise<ResolvedInput> {
  const first = await resolveInput(operation, likeliest, resolver);
  if (first.kind === 'read') return first;
  for (const typed of others) {
    const resolved = await resolveInput(operation, typed, resolver);
    if (resolved.kind === 'read') return resolved;
  }
  return first;
}

/** Turns what was typed into what the operation takes, or stops at the first field that cannot be resolved. */
export async function resolveInput(operation: Operation, typed: TextInput, resolver: InputResolver): Promise<ResolvedInput> {
  const input: Record<string, Value> = {};
  for (const [name, field] of Object.entries(operation.fields)) {
    const texts = (typed[name] ?? []).map((text) => text.trim()).filter((text) => text !== '');
    if (texts.length === 0 && !kindOf(field).followsFromPlace) {
      if (field.optional) continue;
      return { kind: 'incomplete' };
    }
    const resolved = await resolveField(name, field, texts, resolver);
    if (resolved.kind !== 'value') return resolved;
    input[name] = resolved.value;
  }
  return { kind: 'read', input };
}

/** Resolves one field of an operation. */
export async function resolveField(name: string, field: Field, texts: readonly string[], resolver: InputResolver): Promise<{ kind: 'value'; value: Value } | FieldProblem> {
  const resolved = await kindOf(field).resolve(texts, field, resolver);
  return resolved.kind === 'value' ? resolved : { field: name, ...resolved };
}
