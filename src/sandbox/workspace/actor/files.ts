import type { Core } from '../core.ts';
import { filePayload } from '../file-payload.ts';
import type { InputState, Person, WorkspaceFile } from '../model.ts';
import { isRecord } from '../json.ts';

/** A file that a person chooses on their computer, or one that they have uploaded already. */
export type ChosenFile = { name: string; content: string | Uint8Array } | { id: string };

/** Uploads the files that need it. @throws Error when an id is not of a file of this person */
export function uploadFiles(core: Core, person: Person, chosen: readonly ChosenFile[]): WorkspaceFile[] {
  return chosen.map((file) => {
    if ('content' in file) return core.uploads.add(person.id, file.name, Buffer.from(file.content));
    const known = core.state.files.get(file.id);
    if (known === undefined || known.user !== person.id) throw new Error(`${person.name} has no file ${file.id}`);
    return known;
  });
}

/** The state of a file input. Slack lets the bot read its files from the moment they are uploaded. */
export function stateOfFiles(core: Core, person: Person, chosen: unknown): InputState {
  const list = isRecord(chosen) && 'files' in chosen ? chosen['files'] : chosen;
  const files = uploadFiles(core, person, Array.isArray(list) ? (list as ChosenFile[]) : []);
  for (const file of files) file.isForBot = true;
  return { type: 'file_input', files: files.map(filePayload) };
}
