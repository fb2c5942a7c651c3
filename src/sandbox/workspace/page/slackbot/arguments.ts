import { isRecord, propertyOf, textOf } from '../../json.ts';
import type { SlackbotTool } from '../../model.ts';

/** An argument of a tool, as the form asks for it. */
export interface Argument {
  name: string;
  hint: string;
  isRequired: boolean;
  isList: boolean;
  /** What can be chosen; undefined where any text can be. */
  options: string[] | undefined;
}

/** Reads the input schema of a tool. */
export function argumentsOf({ inputSchema }: SlackbotTool): Argument[] {
  const properties = propertyOf(inputSchema, 'properties');
  const required = propertyOf(inputSchema, 'required');
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => {
    const isList = propertyOf(schema, 'type') === 'array';
    const options = propertyOf(isList ? propertyOf(schema, 'items') : schema, 'enum');
    return {
      name,
      hint: textOf(schema, 'description'),
      isRequired: Array.isArray(required) && required.includes(name),
      isList,
      options: Array.isArray(options) ? options.map(String) : undefined,
    };
  });
}

/** What a form sends: lists have an entry per line, and what is empty is left out. */
export function givenFrom(
  tool: SlackbotTool,
  entered: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  return Object.fromEntries(
    argumentsOf(tool).flatMap(({ name, isList }) => {
      const text = (entered[name] ?? '').trim();
      if (text === '') return [];
      return [
        [
          name,
          isList
            ? text
                .split('\n')
                .map((line) => line.trim())
                .filter((line) => line !== '')
            : text,
        ],
      ];
    }),
  );
}

/** The arguments of a call that was unclear, with what the person meant. */
export function givenWith(
  given: unknown,
  unclear: { field: string; message: string },
  value: string,
): Record<string, string | string[]> {
  const before = (isRecord(given) ? given : {}) as Record<string, string | string[]>;
  const meant = before[unclear.field];
  const isUnclear = (text: string): boolean => unclear.message.includes(`“${text}”`);
  return {
    ...before,
    [unclear.field]: Array.isArray(meant)
      ? meant.map((text) => (isUnclear(text) || meant.length === 1 ? value : text))
      : value,
  };
}
