/** Does it once: until it has ended those buttons take nothing. The one with the focus has it again afterwards. */
export async function whileBusy(buttons, work) {
  const taken = [...buttons].filter(({ disabled }) => !disabled);
  const { activeElement: focused } = document;
  for (const button of taken) button.disabled = true;
  try {
    return await work();
  } finally {
    for (const button of taken) button.disabled = false;
    if (taken.includes(focused) && document.activeElement === document.body) focused.focus();
  }
}
