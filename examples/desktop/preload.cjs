// All that the page has of Electron.
const { contextBridge, ipcRenderer } = require("electron");

contextBridge.exposeInMainWorld("desk", {
  call: (name, ...args) => ipcRenderer.invoke("desk", name, ...args),
  onChange: (listener) => void ipcRenderer.on("changed", (_, view) => listener(view)),
});
