import type { Account } from '../account.ts';
import type { PathParameters, Route } from '../http/router.ts';
import type { Answer } from './answer.ts';
import type { Form } from './form.ts';

interface Call<Parameter extends string> {
  parameters: Record<Parameter, string>;
  form: Form;
  account: Account;
}

export type Operation = Route<(call: Call<string>) => Answer | Promise<Answer>>;

/** One line of the specification's section 4: method, path, what it does. */
export function operation<Path extends string>(
  method: 'GET' | 'POST' | 'DELETE',
  path: Path,
  run: (call: Call<PathParameters<Path>>) => Answer | Promise<Answer>,
): Operation {
  return { method, path: `/api/v1${path}`, run };
}
