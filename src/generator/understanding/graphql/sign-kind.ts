import { wordsOf } from "../names.ts";

const signsIn =
  /^(login|log in|sign in|signin|authenticate|token auth|token create|create session|obtain token|refresh token)\b/;
const signsOut = /^(logout|log out|sign out|signout|end session|revoke token|delete session)\b/;

/** Whether a mutation proves who one is, or ends that, by its name. */
export function signKind(name: string): "signIn" | "signOut" | undefined {
  const words = wordsOf(name).join(" ");
  if (signsOut.test(words)) return "signOut";
  return signsIn.test(words) ? "signIn" : undefined;
}
