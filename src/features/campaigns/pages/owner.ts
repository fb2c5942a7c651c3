import type { ClosedReason } from '../../../operations/services/platform.ts';
import type { Announcement } from '../../../domain/announcement.ts';
import type { Candidate } from '../../../domain/campaign.ts';
import { channelMention, countOf, mention, say } from '../../../domain/said.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { Page } from '../../../operations/page.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { campaignSteps, nameList, partList } from './words.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

const namesAtMost = 10;

/** Tells who answers for a campaign that nobody can take its quiz. */
export function campaignPausedPage({ campaignId, quizId, quizName, by }: Of<'campaign-paused'>): Page {
  const quiz = say`*${shownQuizName(quizName)}*`;
  return {
    heading:
      by === undefined
        ? say`⏸️ ${quiz} isn’t open any more, so its campaign is paused. Nobody gets messages until it’s open again.`
        : say`⏸️ ${mention(by)} closed ${quiz}, so its campaign is paused. Nobody gets messages until it’s open again.`,
    steps: [
      runStep(say`Open quiz`, { name: 'open-quiz' }, { quiz: [quizId] }),
      ...campaignSteps(campaignId, ['extend', 'end', 'all']),
    ],
  };
}

/** Tells the others that the owner or the lead of a campaign cannot see results any more. */
export function campaignOrphanedPage({ campaignId, quizName, who }: Of<'campaign-orphaned'>): Page {
  const quiz = say`*${shownQuizName(quizName)}*`;
  return {
    heading:
      who.length > 1
        ? say`👤 Nobody answers for the campaign for ${quiz} any more: the person who started it and its lead can’t see its results.`
        : who[0] === 'owner'
          ? say`👤 The person who started the campaign for ${quiz} can’t see its results any more.`
          : say`👤 The lead of the campaign for ${quiz} can’t see its results any more, so the names of missing people come to you.`,
    steps: campaignSteps(campaignId, ['takeOver', 'all']),
  };
}

/** Asks a person to answer for a campaign. Everybody who reads it by then is asked who they are at the press. */
export function campaignOfferPage({ campaignId, quizName, by, at }: Of<'campaign-offer'>): Page {
  return {
    heading: say`🤝 ${mention(by)} asks you to answer for the campaign for *${shownQuizName(quizName)}*. You’d get its questions, and the names of the people who are missing. Nothing changes until you accept, within 7 days.`,
    steps: [...campaignSteps(campaignId, ['accept'], { offer: [String(at)] }), ...campaignSteps(campaignId, ['all'])],
  };
}

/** Tells the person who asked. */
export function campaignAcceptedPage({ campaignId, quizName, by }: Of<'campaign-accepted'>): Page {
  return {
    heading: say`🤝 ${mention(by)} answers for the campaign for *${shownQuizName(quizName)}* now.`,
    steps: campaignSteps(campaignId, ['all']),
  };
}

/** Tells the owner of a campaign who does not get its quiz, so that they hear nothing from it, or that nobody gets it any more. */
export function campaignUnassignedPage(unassigned: Of<'campaign-unassigned'>): Page {
  const { campaignId, quizName, batchId, isStopped, members } = unassigned;
  const quiz = say`*${shownQuizName(quizName)}*`;
  const names = nameList(members, { most: namesAtMost });
  const people = members.map(({ userId }) => `user:${userId}`);
  return {
    heading: isStopped
      ? say`⏸️ Assigning ${quiz} for its campaign has stopped. People who don’t have it yet get no messages. The result says why.`
      : say`⚠️ ${quiz} couldn’t be assigned to ${names}, so its campaign sends ${members.length === 1 ? 'them' : 'these people'} nothing. The result says why.`,
    steps: [
      isStopped
        ? runStep(say`Resume`, { name: 'resume-batch' }, { batch: [batchId] })
        : runStep(say`Try again`, { name: 'add-to-campaign' }, { campaign: [campaignId], people }),
      runStep(say`Get result`, { name: 'batch-result' }, { batch: [batchId] }),
      ...campaignSteps(campaignId, ['all']),
    ],
  };
}

/** Tells the leads that somebody’s manager is another person. */
export function notReportPage({ campaignId, quizName, userId, name, by }: Of<'campaign-not-report'>): Page {
  const who = say`*${listedName(name, true)}*`;
  return {
    heading: say`↩️ ${mention(by)} says that ${who} doesn’t report to them. They still have to take *${shownQuizName(quizName)}*, and from now on you get the name.`,
    steps: campaignSteps(campaignId, ['excuse', 'all'], { people: [userId] }),
  };
}

const reasons = {
  'many people': say`More than 20 people within an hour aren’t taken in by themselves, so look at the list first.`,
  'other people': say`The person who answers for it doesn’t train everyone on this list, so look at it first.`,
  owner: say`The person who answers for it can’t take anybody in any more. Take it over, and the bot takes in whom you may.`,
} as const satisfies Record<Candidate['why'], string>;

/** Asks who answers for a campaign to take people in who joined its groups and channels. */
export function campaignCandidatesPage({ campaignId, quizName, names, count, why }: Of<'campaign-candidates'>): Page {
  const who = nameList(names, { most: namesAtMost, count });
  const quiz = say`*${shownQuizName(quizName)}*`;
  return {
    heading:
      count === 1
        ? say`👋 ${who} joined the audience of the campaign for ${quiz}, and isn’t in it yet.`
        : say`👋 ${countOf(count, 'person', 'people')} joined the audience of the campaign for ${quiz}, and aren’t in it yet.`,
    parts: [{ lines: [count > 1 && who, ...why.map((one) => reasons[one])] }],
    steps: campaignSteps(campaignId, ['review', ...(why.includes('owner') ? (['takeOver'] as const) : []), 'all']),
  };
}

/** Tells who answers for a campaign that nobody can follow a part of its audience. */
export function campaignUnreadablePage({ campaignId, quizName, parts }: Of<'campaign-unreadable'>): Page {
  return {
    heading: say`👀 I can’t see any more who is in ${partList(parts)}, from which the campaign for *${shownQuizName(quizName)}* takes its people.`,
    parts: [
      {
        lines: [
          say`Until I can, nobody leaves the campaign, and nobody joins it from there. Invite me to the channel with \`/invite @Invigilator\`, or hand the campaign over to someone who is in it.`,
        ],
      },
    ],
    steps: campaignSteps(campaignId, ['takeOver', 'all']),
  };
}

/** Tells the owner that a member says that the quiz isn’t for them. */
export function campaignNotMePage({ campaignId, quizName, userId, name }: Of<'campaign-not-me'>): Page {
  return {
    heading: say`🙋 *${listedName(name, true)}* says that *${shownQuizName(quizName)}* isn’t for them. They get no more reminders.`,
    steps: campaignSteps(campaignId, ['keepIn', 'excuse', 'all'], { people: [userId] }),
  };
}

/**
 * Tells the owner why the platform does not let the bot post a campaign’s messages in its channel.
 *
 * @param closed why, and what to do about it
 */
export function campaignChannelClosedPage(
  { campaignId, quizName, channelId }: Of<'campaign-channel-closed'>,
  closed: ClosedReason,
): Page {
  return {
    heading: say`⚠️ The campaign for *${shownQuizName(quizName)}* can’t be shown in ${channelMention(channelId)}: ${closed.why}.`,
    parts: [{ lines: [say`${closed.remedy} Invigilator tries again by itself, at least once an hour.`] }],
    steps: campaignSteps(campaignId, ['all']),
  };
}
