import { textOf, type TestBed } from './test-bed.ts';

/** Submits a form that a command opens. @returns the text of the answer, or the errors of the fields */
export async function submit(
  { workspace }: TestBed,
  personId: string,
  line: string,
  entered: Record<string, string | string[]>,
): Promise<string> {
  const form = await (await workspace.as(personId).command(line)).view();
  const { errors, view } = await workspace.as(personId).submit(form, entered);
  return errors ? JSON.stringify(errors) : textOf(view);
}
