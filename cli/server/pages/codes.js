// What the library of QR codes gives to who imports it.
export default qrcode;
