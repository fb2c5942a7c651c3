import { badRequest, unprocessable } from '../http/http-error.ts';

const formType = 'application/x-www-form-urlencoded';

/** A form-encoded body. Ignores unknown parameters. The first of repeated parameters counts. */
export class Form {
  readonly #parameters: URLSearchParams;

  constructor(parameters: URLSearchParams) {
    this.#parameters = parameters;
  }

  optional(name: string): string | undefined {
    return this.#parameters.get(name) ?? undefined;
  }

  /** @throws HttpError 422 when the parameter is missing or blank */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined || value.trim() === '') throw unprocessable(`The parameter ${name} is required.`);
    return value;
  }

  /** Like `required`, but accepts blanks. */
  requiredAsTyped(name: string): string {
    return this.optional(name) || this.required(name);
  }

  /** Like `required`, but the parameter may be absent. */
  optionalFilled(name: string): string | undefined {
    return this.optional(name) === undefined ? undefined : this.required(name);
  }

  /** @throws HttpError 422 when the value is none of the choices */
  optionalChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.optional(name);
    if (value === undefined) return undefined;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw unprocessable(`The parameter ${name} must be one of ${choices.join(', ')}.`);
    return choice;
  }

  /** @throws HttpError 422 when the value is neither true nor false */
  optionalFlag(name: string): boolean | undefined {
    const choice = this.optionalChoice(name, ['true', 'false']);
    return choice === undefined ? undefined : choice === 'true';
  }
}

/** @throws HttpError 400 when the body has another content type */
export function parseForm(body: Buffer, contentType: string | undefined): Form {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (body.length > 0 && type !== formType) throw badRequest(`The body must be ${formType}.`);
  return new Form(new URLSearchParams(body.toString('utf8')));
}
