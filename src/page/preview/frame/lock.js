// Before any generated code runs. What it may not do it could not do without this either, but for one thing: peer connections, which reach
// anyone and of which a content policy says nothing in most browsers.

for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete globalThis[name];

// In a frame of its own generated code would find them again. This script is the last one to run here, and in what is framed here: the
// nonce, which the browser tells to whoever breaks the policy, lets nothing in any more.
const policy = document.createElement("meta");
policy.httpEquiv = "Content-Security-Policy";
policy.content = "script-src 'none'";
document.head.append(policy);

const own = document.currentScript;
if (own) {
  own.nonce = "";
  own.remove();
}
