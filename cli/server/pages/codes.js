// The export of the library of QR codes.
export default qrcode;
