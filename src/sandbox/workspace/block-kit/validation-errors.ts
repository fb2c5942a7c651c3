import type { z } from 'zod';
import { propertyOf } from '../json.ts';

type Issue = z.core.$ZodIssue;

/** Describes the errors in the wording of Slack's `response_metadata.messages`, without the leading `[ERROR] `. */
export function validationErrors(error: z.ZodError, root: readonly PropertyKey[]): string[] {
  return error.issues.flatMap((issue) => describe(issue, root));
}

/** Formats an error with its JSON pointer, as Slack does. */
export function validationError(message: string, path: readonly PropertyKey[]): string {
  return `${message} [json-pointer:/${path.map(String).join('/')}]`;
}

function describe(issue: Issue, root: readonly PropertyKey[]): string[] {
  const path = [...root, ...issue.path];
  switch (issue.code) {
    case 'too_big':
      return [
        validationError(
          issue.origin === 'string'
            ? `must be less than ${Number(issue.maximum) + 1} characters`
            : tooMuch(issue.origin, issue.maximum),
          path,
        ),
      ];
    case 'too_small':
      return [
        validationError(
          issue.origin === 'string'
            ? `must be more than ${Number(issue.minimum) - 1} characters`
            : tooLittle(issue.origin, issue.minimum, issue.message),
          path,
        ),
      ];
    case 'unrecognized_keys':
      return issue.keys.map((key) => validationError(`invalid additional property: ${key}`, path));
    case 'invalid_type':
      return [
        issue.input === undefined && issue.message.endsWith('undefined')
          ? validationError(`missing required field: ${String(path.at(-1))}`, path.slice(0, -1))
          : validationError(`must provide ${article(issue.expected)}`, path),
      ];
    case 'invalid_union':
      return issue.discriminator === undefined
        ? [validationError('failed to match all allowed schemas', path)]
        : [validationError(unsupported(issue), path)];
    case 'invalid_value':
      return [validationError('must be a valid enum value', path)];
    default:
      return [validationError(issue.message, path)];
  }
}

function unsupported(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const given = propertyOf(issue.input, issue.discriminator ?? 'type');
  return given === undefined
    ? 'missing required field: type'
    : `unsupported type: ${typeof given === 'string' ? given : JSON.stringify(given)}`;
}

const tooMuch = (origin: string, maximum: number | bigint): string =>
  origin === 'array' ? `no more than ${maximum} items allowed` : `must be at most ${maximum}`;

const tooLittle = (origin: string, minimum: number | bigint, message: string): string => {
  if (origin === 'array') return `must provide at least ${minimum} items`;
  return message.startsWith('must ') ? message : `must be at least ${minimum}`;
};

const article = (expected: string): string => (/^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`);
