import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import type { Channel } from '../../src/sandbox/workspace/model.ts';
import { botUserId, people, teamId } from '../../src/sandbox/workspace/people.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** A channel and the quiz it wants to hear of. */
export interface Room {
  channel: Channel;
  quiz: { id: string; name: string };
}

export function planRooms(count: number): Room[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    return {
      channel: { id: `C0ROOM${number}`, name: `room-${number}`, kind: 'public', members: [people.ada.id, botUserId] },
      quiz: { id: `10000000-0000-4000-8000-000000000${number}`, name: `Drill ${number}` },
    };
  });
}

export function addQuizzes({ database }: QuizService, rooms: readonly Room[]): void {
  for (const { quiz } of rooms) addQuiz(database, { quiz_id: quiz.id, name: quiz.name, status: 'open', date_created: '2026-01-01 00:00:00' });
}

/** Subscribes each channel to its quiz, in the store of a bot that does not run. */
export async function subscribeRooms(storage: Storage, rooms: readonly Room[]): Promise<void> {
  for (const { channel, quiz } of rooms) {
    await storage.subscriptions.add({
      id: `of-${channel.id}`,
      teamId,
      channelId: channel.id,
      ownerId: people.ada.id,
      quiz,
      which: { kind: 'all' },
      how: { kind: 'each' },
      timeZone: 'UTC',
      showsNames: true,
      createdAt: Date.now(),
      pause: null,
    });
  }
}
