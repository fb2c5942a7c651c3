import { openPeople, type Person } from '../../../obligations/people.ts';
import { whyUnreached } from '../../../domain/campaign-messages.ts';
import { namedList, namedPeople, say, sentences } from '../../../domain/said.ts';
import { zoneOf } from '../../../operations/dates/typed-time.ts';
import { partLine, type PartedLine } from '../../../operations/clauses/part-line.ts';
import { splitList, type Readings } from '../../../operations/typed-text.ts';
import { InvalidInputError, given, type TextInput } from '../../../operations/text-input.ts';
import { defineOperation, ofCampaign } from '../../../operations/operation.ts';
import { meansEveryone, audienceKind, partName, type AudienceField } from '../../../operations/fields/people.ts';
import { visibleRunning } from '../../../operations/fields/campaign.ts';
import { campaignsKind, campaignsField } from '../../../operations/fields/things.ts';
import { runStep, made, unchanged } from '../../../operations/page.ts';
import { viewStep, showMatrix } from './list-and-show.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { peopleWords, quizNames, unreachedWords } from '../pages/words.ts';
import { firstMessagesWords, messagesDueNow } from './first-messages.ts';

const peopleField = {
  kind: 'audience',
  from: 'account',
  label: 'Users and groups',
  hint: 'Only these people. Leave empty for everyone in the campaigns above',
  optional: true,
} as const satisfies AudienceField;

export const remindCampaign = defineOperation({
  name: 'remind-campaign',
  formerly: ['remind-people'],
  command: '/quiz-campaign remind [campaign] for [people]',
  synonyms: ['nudge', 'chase'],
  summary:
    'Remind everyone who hasn’t completed the quiz, or people in all their campaigns, as soon as their working hours allow',
  title: say`Remind people`,
  isCommon: true,
  buttons: { campaign: [{ label: 'Remind now', in: ['list', 'page'], position: 2 }] },
  ...ofCampaign,
  needsPress: () => true,
  submit: 'Remind',
  fields: { campaign: campaignsField, people: peopleField },
  parse: readLine,
  check({ campaign, people }) {
    if (!campaign?.length && !people?.length)
      throw new InvalidInputError('people', say`Name a campaign, or the people to remind in all their campaigns.`);
  },
  action({ campaign = [], people }) {
    if (campaign.length === 0)
      return say`remind ${namedList((people ?? []).map(partName))} of everything they have to take`;
    return people
      ? say`remind those of ${namedList(people.map(partName))} who haven’t completed ${quizNames(campaign)}`
      : say`remind everyone who hasn’t completed ${quizNames(campaign)}`;
  },
  effect: () => say`They would get reminders in their working hours, at most one message a day.`,
  async run(context, { campaign = [], people }) {
    const ids = people && new Set(people.flatMap((part) => part.people.map(({ userId }) => userId)));
    const told = new Map<string, Person>();
    const unreached = new Map<string, Person>();
    const about: Campaign[] = [];
    const at = context.now();
    for (const one of campaign.length > 0 || ids === undefined ? campaign : await visibleRunning(context)) {
      const open = openPeople(one, at).filter(({ member }) => ids?.has(member.userId) ?? true);
      for (const person of open)
        (whyUnreached(person.member) === undefined ? told : unreached).set(person.member.userId, person);
      // Whom no message reached is tried once more.
      const tried = open.filter(({ member: { personId, away } }) => personId !== null && !away);
      if (tried.length === 0) continue;
      const userIds = tried.map(({ member }) => member.userId);
      await context.campaigns.put(one.id, { kind: 'remind-now', at, userIds: ids ? userIds : undefined });
      about.push(one);
    }
    const [only, ...more] = campaign;
    const next = [only && more.length === 0 ? viewStep(only.id) : runStep(say`View everyone`, showMatrix, {})];
    const silent = unreachedMessages(
      [...unreached.values()].filter(({ member }) => !told.has(member.userId)),
      context.platform.name,
    );
    const names = people && namedList(people.map(partName));
    if (told.size === 0) return unchanged([nobodyLeft(campaign, names), ...silent].join(' '), next);
    const when = about.every(({ obstacle }) => obstacle !== null)
      ? say`once the quiz is open`
      : firstMessagesWords(
          await messagesDueNow(context, {
            draft: { rule: { endsAt: only?.rule.endsAt ?? null }, timeZone: zoneOf(context) },
            members: [...told.values()].map(({ member, obligation }) => ({ ...member, obligation })),
          }),
          { nowMs: at, timeZone: zoneOf(context) },
        );
    const members = [...told.values()].map(({ member }) => member);
    return made([remindedMessage(about, members, when), ...silent].join(' '), next);
  },
});

/** Reads `fire safety for Kitchen`, `Rosa, Ravi about fire safety, first aid`, and names of campaigns or people alone. */
function readLine(line: string): Readings {
  const named = ([campaign, people = '']: PartedLine): TextInput =>
    given({
      campaign: campaign && campaignsKind.split(campaign, campaignsField),
      people: people && audienceKind.split(people, peopleField),
    });
  const about = partLine(line, 'about', { isOptional: true, canSwap: false }).parted.flatMap(([people, campaigns]) =>
    campaigns === undefined
      ? []
      : [{ ...named(['', people]), ...given({ campaign: campaigns && splitList(campaigns) }) }],
  );
  const { parted } = partLine(line, 'for', { isOptional: true, canSwap: true });
  const [likeliest = {}, ...others] = [...about, ...parted.map(named)];
  // “Remind everyone” says of no campaign that it is meant.
  const isOfPeople = line.trim() !== '' && !meansEveryone(line);
  return { inputs: [likeliest, ...others], rivals: isOfPeople ? [named(['', line])] : [] };
}

/** @param names the people who were named, in words */
export function nobodyLeft(campaigns: readonly Pick<Campaign, 'quiz'>[], names: string | undefined): string {
  if (names === undefined) return say`Nobody is left to remind about ${quizNames(campaigns)}.`;
  return campaigns.length === 0
    ? say`Nobody of ${names} is left to remind in campaigns that you can see.`
    : say`Nobody of ${names} is left to remind about ${quizNames(campaigns)}.`;
}

/** @param when they go out, in words; undefined where the campaign ends before */
export function remindedMessage(
  campaigns: readonly Pick<Campaign, 'quiz'>[],
  members: readonly { userId: string; name: string }[],
  when: string | undefined,
): string {
  const [about, who] = [quizNames(campaigns), namedPeople(members)];
  const isOne = members.length === 1;
  return sentences([
    isOne
      ? say`Scheduled a reminder about ${about} for ${who}.`
      : say`Scheduled reminders about ${about} for ${peopleWords(members.length)}: ${who}.`,
    when !== undefined && (isOne ? say`It goes out ${when}.` : say`They go out ${when}.`),
  ]);
}

/** Whom no message reaches, and why. */
export function unreachedMessages(people: readonly Pick<Person, 'member'>[], platform: string): string[] {
  const byWhy = Map.groupBy(people, ({ member }) => whyUnreached(member) ?? '');
  return [...byWhy].map(([why, some]) => {
    const who = namedPeople(some.map(({ member }) => member));
    return say`No message reaches ${who}: ${unreachedWords(why, platform)}.`;
  });
}
