import type { Check } from '../../platform/module.js';

export interface DoctorAnswer {
  checks: Check[];
}

export function good(name: string, message: string, advice: string | null = null): Check {
  return { name, ok: true, message, advice };
}

/** @param advice for the case that it is not so */
export function judge(name: string, ok: boolean, message: string, advice: string): Check {
  return ok ? good(name, message) : bad(name, message, advice);
}

export function bad(name: string, message: string, advice: string): Check {
  return { name, ok: false, message, advice };
}
