import { z } from 'zod';
import { limits } from '../limits.ts';
import { characters, confirm, plainText } from './text.ts';

export const action = { action_id: characters(limits.actionId).optional() };
export const confirmable = { confirm: confirm.optional() };
export const focusable = { focus_on_load: z.boolean().optional() };
export const placeholdable = { placeholder: plainText(limits.placeholder).optional() };
export const menu = { ...action, ...confirmable, ...focusable, ...placeholdable };
