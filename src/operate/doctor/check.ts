/** The result of one check. */
export interface Check {
  name: string;
  ok: boolean;
  message: string;
  /** What to do; `null`: nothing. */
  advice: string | null;
}

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
