import { textOf, type TestBed } from './test-bed.ts';

/** Submits a form that a command opens. @returns the text of the answer, or the errors of the fields */
export async function submit(
  { workspace }: TestBed,
  personId: string,
  line: string,
  entered: Record<string, string | string[]>,
): Promise<string> {
  const form = await (await workspace.as(personId).command(line)).view();
  const { errors, view } = await confirmed(workspace.as(personId), await workspace.as(personId).submit(form, entered));
  return errors ? JSON.stringify(errors) : textOf(view);
}

type Person = ReturnType<TestBed['workspace']['as']>;

/** The answer to a form, after the box is ticked that a warning shows. */
export async function confirmed(
  person: Person,
  answer: Awaited<ReturnType<Person['submit']>>,
): Promise<Awaited<ReturnType<Person['submit']>>> {
  const box = answer.view?.blocks.find(({ block_id }) => block_id?.startsWith('confirmed '))?.block_id;
  return box ? person.submit(answer.view!, { [box]: ['Do it all the same'] }) : answer;
}
