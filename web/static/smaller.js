// Large photos are made smaller before they are sent: a phone's Wi-Fi takes seconds for twelve megapixels, and so does a
// small computer that decodes them for a whole table. Five dice are told just as well at this size.

import { upload } from "./page.js";

const LONGEST = 2560; // pixels of a side
const QUALITY = 0.9;

/** As `upload`, with the photo made smaller first where it is large. */
export function uploadPhoto(file, expect, onSent) {
  let sending = null;
  let stopped = false;
  const answer = smaller(file).then((photo) => {
    if (stopped) return null;
    sending = upload(photo, expect, onSent);
    return sending.answer;
  });
  return { answer, stop: () => { stopped = true; sending?.stop(); } };
}

// The file itself if it is small already, or if anything fails: the server reads more kinds than browsers do.
async function smaller(file) {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const photo = await drawn(bitmap);
    bitmap.close();
    // One that grows is of no use; and some browsers give noise for what was drawn, lest it tell who they are.
    return photo && photo.size < file.size ? new File([photo], file.name || "photo.jpg", { type: photo.type }) : file;
  } catch {
    return file;
  }
}

function drawn(bitmap) {
  const scale = LONGEST / Math.max(bitmap.width, bitmap.height);
  if (scale >= 1) return null;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "white"; // behind what is transparent, as the server has it; a JPEG would make it black
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", QUALITY); });
}
