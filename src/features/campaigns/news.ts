import type { Campaign, CampaignEvent, CampaignMember, Candidate, Candidates } from '../../domain/campaign.ts';
import type { Note } from '../../domain/note.ts';
import type { CampaignMessage } from '../../domain/queues.ts';
import { channelMention, countOf, markedPerson, mention, say } from '../../domain/said.ts';
import { isInside, personOf } from '../../obligations/people.ts';
import { runStep } from '../../operations/page.ts';
import type { ClosedReason } from '../../operations/services/platform.ts';
import { parseMention } from '../../operations/typed-text.ts';
import { listedName, shownQuizName } from '../../operations/wording/shown-name.ts';
import { escalation } from './messages.ts';
import { campaignSteps, nameList, partList } from './pages/words.ts';

const namesAtMost = 10;

/** A message for the owner, or for the leads. */
interface News {
  to: 'owner' | 'lead';
  message: CampaignMessage;
}

type Named = Pick<CampaignMember, 'userId' | 'name'>;
type About = Pick<Campaign, 'id' | 'quiz'>;

/** What these events give those to decide who answer for the campaign. After its end, there is nothing to decide. */
export function newsOf(before: Campaign, after: Campaign, events: readonly CampaignEvent[]): News[] {
  if (after.endedAt !== null) return [];
  const forOwner = [
    ...newNotMe(before, events).map((member) => notMeNote(after, member)),
    ...(isPausedNow(before, after) ? [pausedNote(after)] : []),
    ...unassignedNotes(before, after, events),
  ];
  return [
    ...forOwner.map((note) => toOwner(after, note)),
    ...candidatesNews(before, after),
    ...unreadableNotes(before, after).map((note) => toOwner(after, note)),
    ...(events.some(({ kind }) => kind === 'board-shared')
      ? sharedNotes(after).map((note) => toOwner(after, note))
      : []),
    ...(isDeserted(after) && !isDeserted(before) ? [toOwner(after, desertedNote(after))] : []),
    ...(after.unable.some((who) => !before.unable.includes(who)) ? [toOwner(after, orphanedNote(after))] : []),
    ...managerNews(before, events),
  ];
}

/** What a campaign says once, until it is over. */
export function campaignNote({ id }: About, note: Note): Extract<CampaignMessage, { kind: 'note' }> {
  return { kind: 'note', campaignId: id, note };
}

const toOwner = (campaign: Campaign, note: Note): News => ({ to: 'owner', message: campaignNote(campaign, note) });
const quizName = ({ quiz }: About) => shownQuizName(quiz.name);
const quizOf = (campaign: About) => say`*${quizName(campaign)}*`;
const nameOf = ({ userId, name }: Named) => listedName(markedPerson(userId, name), true);

function namesOf(people: readonly Named[]): string {
  const names = people.slice(0, namesAtMost).map(({ userId, name }) => markedPerson(userId, name));
  return nameList(names, { most: namesAtMost, count: people.length });
}

/** The members of whom these events are the first to say that the quiz is not for them. */
function newNotMe(campaign: Campaign, events: readonly CampaignEvent[]): CampaignMember[] {
  const at = new Map(events.flatMap((event) => (event.kind === 'not-me' ? [[event.userId, event.at] as const] : [])));
  return campaign.members.filter((member) => {
    const saidAt = at.get(member.userId);
    return saidAt !== undefined && personOf(member, campaign, saidAt).state === 'open';
  });
}

function notMeNote(campaign: About, member: Named): Note {
  return {
    heading: say`🙋 *${nameOf(member)}* says that *${quizName(campaign)}* isn’t for them. They get no more reminders.`,
    steps: campaignSteps(campaign.id, ['keepIn', 'excuse', 'all'], { people: [member.userId] }),
  };
}

/** Who closed the quiz knows. */
function isPausedNow(before: Campaign, { obstacle, ownerId }: Campaign): boolean {
  return before.obstacle === null && obstacle !== null && obstacle.status !== 'gone' && obstacle.by !== ownerId;
}

function pausedNote({ obstacle, ...campaign }: About & Pick<Campaign, 'obstacle'>): Note {
  const quiz = quizOf(campaign);
  return {
    heading: obstacle?.by
      ? say`⏸️ ${mention(obstacle.by)} closed ${quiz}, so its campaign is paused. Nobody gets messages until it’s open again.`
      : say`⏸️ ${quiz} isn’t open any more, so its campaign is paused. Nobody gets messages until it’s open again.`,
    steps: [
      runStep(say`Open quiz`, { name: 'open-quiz' }, { quiz: [campaign.quiz.id] }),
      ...campaignSteps(campaign.id, ['extend', 'end', 'all']),
    ],
  };
}

/** The owner or the lead cannot see results any more. */
function orphanedNote({ unable, ...campaign }: About & Pick<Campaign, 'unable'>): Note {
  const quiz = quizOf(campaign);
  return {
    heading:
      unable.length > 1
        ? say`👤 Nobody answers for the campaign for ${quiz} any more: the person who started it and its lead can’t see its results.`
        : unable[0] === 'owner'
          ? say`👤 The person who started the campaign for ${quiz} can’t see its results any more.`
          : say`👤 The lead of the campaign for ${quiz} can’t see its results any more, so the names of missing people come to you.`,
    steps: campaignSteps(campaign.id, ['takeOver', 'all']),
  };
}

/** Members who do not get the quiz hear nothing from the campaign; or nobody gets it any more. */
function unassignedNotes(before: Campaign, after: Campaign, events: readonly CampaignEvent[]): Note[] {
  const { id, assigning } = after;
  const failed = new Set(events.flatMap((event) => (event.kind === 'not-assigned' ? event.userIds : [])));
  const members = after.members.filter(({ userId, assignment }) => assignment === 'failed' && failed.has(userId));
  const isNewlyStopped = assigning?.isStopped && !before.assigning?.isStopped;
  if (assigning === null || (members.length === 0 && !isNewlyStopped)) return [];
  const { batchId, isStopped } = assigning;
  const people = members.slice(0, peopleAtMost).map(({ userId }) => `user:${userId}`);
  return [
    {
      heading: isStopped
        ? say`⏸️ Assigning ${quizOf(after)} for its campaign has stopped. People who don’t have it yet get no messages. The result says why.`
        : say`⚠️ ${quizOf(after)} couldn’t be assigned to ${namesOf(members)}, so its campaign sends ${members.length === 1 ? 'them' : 'these people'} nothing. The result says why.`,
      steps: [
        isStopped
          ? runStep(say`Resume`, { name: 'resume-batch' }, { batch: [batchId] })
          : runStep(say`Try again`, { name: 'add-to-campaign' }, { campaign: [id], people }),
        runStep(say`Get result`, { name: 'batch-result' }, { batch: [batchId] }),
        ...campaignSteps(id, ['all']),
      ],
    },
  ];
}

/** A button holds no more. */
const peopleAtMost = 50;

const reasons = {
  'many people': say`More than 20 people within an hour aren’t taken in by themselves, so look at the list first.`,
  'other people': say`The person who answers for it doesn’t train everyone on this list, so look at it first.`,
  owner: say`The person who answers for it can’t take anybody in any more. Take it over, and the bot takes in whom you may.`,
} as const satisfies Record<Candidate['why'], string>;

/** Who answers for it is asked once for all who wait to be taken in. */
function candidatesNews(before: Campaign, after: Campaign): News[] {
  const { candidates } = after;
  if (candidates === null || candidates.askedAt <= (before.candidates?.askedAt ?? 0)) return [];
  const message = campaignNote(after, takingInNote(after, candidates));
  return [{ to: 'owner', message: { ...message, untilTakenIn: true } }];
}

/** Who waits to be taken in, and why. */
export function takingInNote(campaign: About, { people }: Candidates): Note {
  const count = people.length;
  const [who, quiz] = [namesOf(people), quizOf(campaign)];
  const why = [...new Set(people.map((one) => one.why))];
  return {
    heading:
      count === 1
        ? say`👋 ${who} joined the audience of the campaign for ${quiz}, and isn’t in it yet.`
        : say`👋 ${countOf(count, 'person', 'people')} joined the audience of the campaign for ${quiz}, and aren’t in it yet.`,
    parts: [{ lines: [count > 1 && who, ...why.map((one) => reasons[one])] }],
    steps: campaignSteps(campaign.id, ['review', ...(why.includes('owner') ? (['takeOver'] as const) : []), 'all']),
  };
}

/** Nobody can follow a part of its audience any more. */
function unreadableNotes({ unreadable: known }: Campaign, after: Campaign): Note[] {
  const parts = after.unreadable.filter((part) => !known.includes(part));
  if (parts.length === 0) return [];
  const isAbout = (kind: 'channel' | 'usergroup') => parts.some((part) => parseMention(part)?.kind === kind);
  return [
    {
      heading: say`👀 I can’t see any more who is in ${partList(parts)}, from which the campaign for *${quizName(after)}* takes its people.`,
      parts: [
        {
          lines: [
            say`Until I can, nobody leaves the campaign, and nobody joins it from there.`,
            isAbout('channel') &&
              say`Invite me to the channel with \`/invite @Invigilator\`, or hand the campaign over to someone who is in it.`,
            isAbout('usergroup') && say`The user group may be disabled: enable it again, or end the campaign.`,
          ],
        },
      ],
      steps: campaignSteps(after.id, ['takeOver', 'all']),
    },
  ];
}

/** Others can read its board, which is for the people of this workspace. */
function sharedNotes({ rule: { board }, ...campaign }: Campaign): Note[] {
  if (board === null) return [];
  return [
    {
      heading: say`⚠️ Another company can read ${channelMention(board.channelId)} now, where the campaign for ${quizOf(campaign)} shows its progress.`,
      parts: [
        {
          lines: [
            say`Stop sharing the channel if people there shouldn’t see who has taken the quiz, or end the campaign.`,
          ],
        },
      ],
      steps: campaignSteps(campaign.id, ['end', 'all']),
    },
  ];
}

/** A campaign that stands runs on where its groups are deleted. Who waits to be taken in is news of its own. */
function isDeserted({ rule, members, candidates }: Campaign): boolean {
  return rule.standing !== null && candidates === null && !members.some(isInside);
}

function desertedNote(campaign: About): Note {
  return {
    heading: say`👥 Nobody is left in the ongoing campaign for ${quizOf(campaign)}: its groups and channels are empty or deleted.`,
    parts: [{ lines: [say`It runs on and asks nobody. Add people or another group, or end it.`] }],
    steps: campaignSteps(campaign.id, ['add', 'end', 'all']),
  };
}

/** What managers say, or that nothing reaches them. */
function managerNews(before: Campaign, events: readonly CampaignEvent[]): News[] {
  const said = new Set<string>();
  return events.flatMap((event): News[] => {
    if (event.kind === 'not-report') {
      const member = before.members.find(({ userId }) => userId === event.userId);
      // A manager who presses twice says one thing.
      const isSaid = said.has(`${event.userId} ${event.by}`);
      said.add(`${event.userId} ${event.by}`);
      if (member === undefined || isSaid || event.isNotified || member.notReportOf.includes(event.by)) return [];
      return [{ to: 'lead', message: campaignNote(before, notReportNote(before, member, event.by)) }];
    }
    if (event.kind !== 'manager-gone') return [];
    const own = before.members.filter(
      (member) => member.managerId === event.managerId && personOf(member, before, event.at).state === 'open',
    );
    return own.length === 0 ? [] : [{ to: 'lead', message: escalation(before, own) }];
  });
}

/** @param by the manager, by their ID on the platform */
function notReportNote(campaign: About, member: Named, by: string): Note {
  return {
    heading: say`↩️ ${mention(by)} says that ${say`*${nameOf(member)}*`} doesn’t report to them. They still have to take *${quizName(campaign)}*, and from now on you get the name.`,
    steps: campaignSteps(campaign.id, ['excuse', 'all'], { people: [member.userId] }),
  };
}

/** Asks a person to answer for a campaign. Everybody who reads it by then is asked who they are at the press. @param offer by whom, on the platform */
export function offerNote(campaign: About, { by, at }: { by: string; at: number }): Note {
  return {
    heading: say`🤝 ${mention(by)} asks you to answer for the campaign for *${quizName(campaign)}*. You’d get its questions, and the names of the people who are missing. Nothing changes until you accept, within 7 days.`,
    steps: [...campaignSteps(campaign.id, ['accept'], { offer: [String(at)] }), ...campaignSteps(campaign.id, ['all'])],
  };
}

/** Tells the person who asked. @param by on the platform */
export function acceptedNote(campaign: About, by: string): Note {
  return {
    heading: say`🤝 ${mention(by)} answers for the campaign for *${quizName(campaign)}* now.`,
    steps: campaignSteps(campaign.id, ['all']),
  };
}

/** Tells the owner why the platform does not let the bot post the campaign’s messages in its channel. */
export function closedNote(campaign: About, channelId: string, { why, remedy }: ClosedReason): Note {
  return {
    heading: say`⚠️ The campaign for *${quizName(campaign)}* can’t be shown in ${channelMention(channelId)}: ${why}.`,
    parts: [{ lines: [say`${remedy} Invigilator tries again by itself, at least once an hour.`] }],
    steps: campaignSteps(campaign.id, ['all']),
  };
}
