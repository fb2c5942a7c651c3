import type { Channel, CommandHelp, Person, UserGroup } from '../../model.ts';

export interface Completion {
  /** The draft after completion. */
  draft: string;
  label: string;
  hint: string;
  description: string;
}

const ownCommands: readonly CommandHelp[] = [
  { command: '/invite', usage_hint: '@Invigilator', description: 'Add the bot to this channel' },
  { command: '/remove', usage_hint: '@Invigilator', description: 'Remove the bot from this channel' },
];

/** What a draft can name. */
export interface Named {
  commands: readonly CommandHelp[];
  people: readonly Person[];
  userGroups: readonly UserGroup[];
  channels: readonly Channel[];
}

/** Lists completions for a draft: commands while the person types a command name, people and user groups after @, channels after #. */
export function completionsFor(draft: string, named: Named): Completion[] {
  const command = /^\/[\w-]*$/.exec(draft)?.[0];
  if (command !== undefined) {
    return [...named.commands, ...ownCommands]
      .filter((help) => help.command.startsWith(command.toLowerCase()))
      .map((help) => ({
        draft: `${help.command} `,
        label: help.command,
        hint: help.usage_hint,
        description: help.description,
      }));
  }
  const [, sign, begun] = /(?:^|\s)([@#])([\w.-]*)$/.exec(draft) ?? [];
  if (sign === undefined || begun === undefined) return [];
  const wanted = begun.toLowerCase();
  const found = (sign === '@' ? handles(named) : channelNames(named)).filter(
    ({ name, description }) => name.startsWith(wanted) || description.toLowerCase().startsWith(wanted),
  );
  // Enter sends a draft that ends with a whole name, even if a longer name begins with it.
  if (found.some(({ name }) => name === wanted)) return [];
  return found.map(({ name, description }) => ({
    draft: `${draft.slice(0, draft.length - begun.length)}${name} `,
    label: `${sign}${name}`,
    hint: '',
    description,
  }));
}

const handles = ({ people, userGroups }: Named): { name: string; description: string }[] => [
  ...people
    .filter((person) => person.id !== 'USLACKBOT')
    .map(({ name, realName }) => ({ name, description: realName })),
  ...userGroups
    .filter((group) => group.isDisabled !== true)
    .map((group) => ({ name: group.handle, description: `${group.name} (${group.members.length} people)` })),
];

const channelNames = ({ channels }: Named): { name: string; description: string }[] =>
  channels
    .filter((channel) => channel.isArchived !== true)
    .map(({ name, topic }) => ({ name, description: topic ?? '' }));

/** Whether a draft is the whole name of a command, which runs without more, even if a longer name begins with it. */
export const isWholeCommand = (draft: string, commands: readonly CommandHelp[]): boolean =>
  commands.some(({ command }) => command === draft.toLowerCase());

/** Finds the help of the command in a draft. */
export function usageOf(draft: string, commands: readonly CommandHelp[]): CommandHelp | undefined {
  const name = /^(\/[\w-]+)\s/.exec(draft)?.[1];
  return commands.find(({ command }) => command === name);
}
