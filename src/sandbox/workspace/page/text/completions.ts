import type { CommandHelp, Person } from '../../model.ts';

export interface Completion {
  /** What the whole draft becomes. */
  draft: string;
  label: string;
  hint: string;
  description: string;
}

const ownCommands: readonly CommandHelp[] = [
  { command: '/invite', usageHint: '@Invigilator', description: 'Bring the bot into this channel' },
  { command: '/remove', usageHint: '@Invigilator', description: 'Take the bot out of this channel' },
];

/** What a draft may become: a slash command while its name is being typed, a person while an @handle is. */
export function completionsFor(
  draft: string,
  commands: readonly CommandHelp[],
  people: readonly Person[],
): Completion[] {
  const command = /^\/[\w-]*$/.exec(draft)?.[0];
  if (command !== undefined) {
    return [...commands, ...ownCommands]
      .filter((one) => one.command.startsWith(command.toLowerCase()))
      .map((one) => ({
        draft: `${one.command} `,
        label: one.command,
        hint: one.usageHint,
        description: one.description,
      }));
  }
  const handle = /(?:^|\s)@([\w.-]*)$/.exec(draft)?.[1];
  if (handle === undefined) return [];
  const wanted = handle.toLowerCase();
  return people
    .filter(
      (person) =>
        person.id !== 'USLACKBOT' &&
        (person.name.startsWith(wanted) || person.realName.toLowerCase().startsWith(wanted)),
    )
    .map((person) => ({
      draft: `${draft.slice(0, draft.length - handle.length)}${person.name} `,
      label: `@${person.name}`,
      hint: '',
      description: person.realName,
    }));
}

/** How the command in a draft is used. */
export function usageOf(draft: string, commands: readonly CommandHelp[]): CommandHelp | undefined {
  const name = /^(\/[\w-]+)\s/.exec(draft)?.[1];
  return commands.find((one) => one.command === name);
}
