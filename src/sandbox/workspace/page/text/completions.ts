import type { CommandHelp, Person, UserGroup } from '../../model.ts';

export interface Completion {
  /** The draft after completion. */
  draft: string;
  label: string;
  hint: string;
  description: string;
}

const ownCommands: readonly CommandHelp[] = [
  { command: '/invite', usageHint: '@Invigilator', description: 'Add the bot to this channel' },
  { command: '/remove', usageHint: '@Invigilator', description: 'Remove the bot from this channel' },
];

/** Lists completions for a draft: commands while the person types a command name, people and user groups after @. */
export function completionsFor(
  draft: string,
  commands: readonly CommandHelp[],
  people: readonly Person[],
  userGroups: readonly UserGroup[],
): Completion[] {
  const command = /^\/[\w-]*$/.exec(draft)?.[0];
  if (command !== undefined) {
    return [...commands, ...ownCommands]
      .filter((help) => help.command.startsWith(command.toLowerCase()))
      .map((help) => ({
        draft: `${help.command} `,
        label: help.command,
        hint: help.usageHint,
        description: help.description,
      }));
  }
  const handle = /(?:^|\s)@([\w.-]*)$/.exec(draft)?.[1];
  if (handle === undefined) return [];
  const wanted = handle.toLowerCase();
  const mentioned = [
    ...people.filter((person) => person.id !== 'USLACKBOT').map(({ name, realName }) => ({ name, description: realName })),
    ...userGroups
      .filter((group) => group.isDisabled !== true)
      .map((group) => ({ name: group.handle, description: `${group.name} (${group.members.length} people)` })),
  ];
  return mentioned
    .filter(({ name, description }) => name.startsWith(wanted) || description.toLowerCase().startsWith(wanted))
    .map(({ name, description }) => ({
      draft: `${draft.slice(0, draft.length - handle.length)}${name} `,
      label: `@${name}`,
      hint: '',
      description,
    }));
}

/** Finds the help of the command in a draft. */
export function usageOf(draft: string, commands: readonly CommandHelp[]): CommandHelp | undefined {
  const name = /^(\/[\w-]+)\s/.exec(draft)?.[1];
  return commands.find(({ command }) => command === name);
}
