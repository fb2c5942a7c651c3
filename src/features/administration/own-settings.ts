import { made, runStep, type Step } from '../../operations/page.ts';
import { say } from '../../domain/said.ts';
import { defineOperation, ofOneself } from '../../operations/operation.ts';
import type { MessageChoice } from '../../operations/services/people.ts';
import { languageCodes, languages } from '../../words/languages.ts';

/** What **Stop these messages** does not stop. */
export const stillComing = say`Campaigns still write to you, unless they let people stop that.`;

const stopped = say`You won’t get messages about quizzes you’re assigned and your results anymore. ${stillComing}`;
const started = say`You’ll get a message when someone assigns you a quiz, and when your result is in.`;

/** Turns direct messages on or off for the person who presses the button. */
export const turnMessages = defineOperation({
  ...ofOneself,
  name: 'turn-messages',
  command: '/quiz-admin messages <to>',
  summary: 'Stop these messages',
  title: say`Stop these messages`,
  fields: {
    to: {
      kind: 'choice',
      label: 'Change',
      options: [
        { value: 'on', label: 'Turn messages on' },
        { value: 'off', label: 'Stop these messages' },
        { value: 'monday-on', label: 'Turn the message of Monday on' },
        { value: 'monday-off', label: 'Stop the message of Monday' },
      ],
    },
  },
  async run({ ownSettings }, { to }) {
    const choice = messageChoices.find((one) => one === to) ?? 'off';
    await ownSettings.turnMessages(choice);
    const { message, opposite } = choices[choice];
    return made(message, [messagesStep(opposite)]);
  },
});

const messageChoices = ['on', 'off', 'monday-on', 'monday-off'] as const;

/** What the person reads, and what the button does then. */
const choices = {
  on: { label: say`Turn messages on`, message: started, opposite: 'off' },
  off: { label: say`Stop these messages`, message: stopped, opposite: 'on' },
  'monday-on': {
    label: say`Turn the message of Monday on`,
    message: say`You’ll get a message on Monday mornings if there’s something to say about your campaigns.`,
    opposite: 'monday-off',
  },
  'monday-off': {
    label: say`Stop the message of Monday`,
    message: say`You won’t get the message about your campaigns on Mondays anymore.`,
    opposite: 'monday-on',
  },
} as const satisfies Record<MessageChoice, { label: string; message: string; opposite: MessageChoice }>;

/** A button that turns direct messages on or off. Once it was pressed, it does the opposite. */
export function messagesStep(to: MessageChoice): Step {
  return { ...runStep(choices[to].label, turnMessages, { to: [to] }), opens: 'button' };
}

export const languageNote = say`🌐 Messages, forms and answers that only you see are in this language.`;

/** Takes the language in which a person reads the bot, for this person alone. */
export const chooseLanguage = defineOperation({
  ...ofOneself,
  name: 'choose-language',
  command: '/quiz-admin language <language>',
  summary: 'Language',
  title: say`Language`,
  fields: {
    language: {
      kind: 'choice',
      label: 'Language',
      options: [
        { value: 'default', label: 'Default' },
        ...languageCodes.map((value) => ({ value, label: languages[value] })),
      ],
    },
  },
  async run({ ownSettings }, { language }) {
    await ownSettings.chooseLanguage(languageCodes.find((code) => code === language));
    return made(languageNote);
  },
});
